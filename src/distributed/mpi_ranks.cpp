// Ranks as processes of MPI.
#include <stg/distributed/mpi_ranks.hpp>

#include <algorithm>  // min
#include <atomic>     // atomic
#include <cstdio>     // fprintf
#include <cstdlib>    // atexit, EXIT_SUCCESS
#include <cstring>    // memcpy
#include <exception>  // exception
#include <list>       // list
#include <map>        // map
#include <memory>     // unique_ptr
#include <random>     // random_device
#include <string>     // string, to_string
#include <thread>     // sleep_for, yield
#include <utility>    // move
#include <vector>     // vector

#include <mpi.h>     // MPI_Irecv, MPI_Isend, ...
#include <unistd.h>  // _exit

#include <stg/base/error.hpp>  // error

#include "heartbeat.hpp"   // heartbeat
#include "mpi_rank.hpp"    // is_process
#include "wait_watch.hpp"  // wait_watch

namespace stg {

namespace {

using clock = std::chrono::steady_clock;

/// Raises what MPI says of a call that failed.
void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// The bytes of a message go in pieces, whose lengths an int can tell.
constexpr std::int64_t piece = std::int64_t{1} << 30;
/// MPI promises tags up to 32767, and that messages with one tag arrive in the order in which they were sent.
int tag_of(std::uint64_t tag) { return static_cast<int>(tag % 32768); }

/// For as long as a rank waits.
class marked_as_waiting {
 public:
  explicit marked_as_waiting(detail::heartbeat* heart) : heart_(heart) {
    if (heart_ != nullptr) heart_->waits(true);
  }
  ~marked_as_waiting() {
    if (heart_ != nullptr) heart_->waits(false);
  }

 private:
  detail::heartbeat* heart_;
};

class mpi_rank final : public communicator {
 public:
  explicit mpi_rank(const mpi_rank_options& how) : limits_{how.patience, how.silence, how.longest_work} {
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  /// The ranks tell each other their addresses by MPI, and connect.
  void begin_to_beat() {
    if (size_ == 1 || limits_.silence.count() == 0) return;
    const auto end = [this](const std::string& why) { end_process(why); };
    heart_.reset(new detail::heartbeat(rank_, size_, {.silence = limits_.silence, .end = end}));
    constexpr int room = 1024;
    std::string mine = heart_->address();
    mine.resize(room);
    std::vector<char> all(static_cast<std::size_t>(room) * static_cast<std::size_t>(size_));
    check(MPI_Allgather(mine.data(), room, MPI_BYTE, all.data(), room, MPI_BYTE, MPI_COMM_WORLD), "MPI_Allgather");
    std::random_device draws;
    unsigned job[2] = {draws(), draws()};
    check(MPI_Bcast(job, 2, MPI_UNSIGNED, 0, MPI_COMM_WORLD), "MPI_Bcast");
    std::vector<std::string> addresses;
    for (int r = 0; r < size_; ++r) addresses.emplace_back(all.data() + static_cast<std::size_t>(r) * room);
    heart_->connect(addresses, std::uint64_t{job[0]} << 32 | job[1]);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  using communicator::send;
  void send(int to, std::uint64_t tag, message_room room) override {
    let_go_of_sent();
    const std::int64_t bytes = room.bytes;
    count_sent(bytes);
    message& m = sent_.emplace_back();
    m.room = std::move(room);
    for (std::int64_t from = 0; from == 0 || from < bytes; from += piece) {
      const int length = static_cast<int>(std::min(piece, bytes - from));
      m.requests.push_back(MPI_REQUEST_NULL);
      check(MPI_Isend(m.room.data.get() + from, length, MPI_BYTE, to, tag_of(tag), MPI_COMM_WORLD, &m.requests.back()),
            "MPI_Isend");
    }
  }

  void expect(int from, std::uint64_t tag, std::byte* to, std::int64_t bytes) override {
    std::vector<MPI_Request>& requests = expected_[{from, tag}].requests;
    expected_[{from, tag}].bytes = bytes;
    for (std::int64_t at = 0; at == 0 || at < bytes; at += piece) {
      const int length = static_cast<int>(std::min(piece, bytes - at));
      requests.push_back(MPI_REQUEST_NULL);
      check(MPI_Irecv(to + at, length, MPI_BYTE, from, tag_of(tag), MPI_COMM_WORLD, &requests.back()), "MPI_Irecv");
    }
  }

  void receive(int from, std::uint64_t tag) override {
    const auto wanted = expected_.find({from, tag});
    if (wanted == expected_.end())
      throw error("rank " + std::to_string(rank_) + " waits for a message from rank " + std::to_string(from) +
                  " that it does not expect");
    detail::wait_watch watch(*this, from, limits_);
    std::int64_t arrived = 0;
    for (MPI_Request& request : wanted->second.requests) arrived += wait_for(request, from, watch);
    if (arrived != wanted->second.bytes)
      throw error("rank " + std::to_string(rank_) + " expects " + std::to_string(wanted->second.bytes) +
                  " bytes from rank " + std::to_string(from) + ", which sends " + std::to_string(arrived) +
                  "; do all ranks run the same program on parts of one graph?");
    expected_.erase(wanted);
  }

  bool has_come(int from, std::uint64_t tag) override {
    const auto wanted = expected_.find({from, tag});
    if (wanted == expected_.end()) return true;  // receive says what is wrong
    for (const MPI_Request& request : wanted->second.requests) {
      int done = 0;
      check(MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE), "MPI_Request_get_status");
      if (done == 0) return false;
    }
    return true;
  }

  void wait_until(int from, const std::function<bool()>& is_there) override {
    detail::wait_watch watch(*this, from, limits_);
    wait_until(watch, from, is_there);
  }

  void progress() override { let_go_of_sent(); }
  void busy(bool is) override {
    if (heart_) heart_->busy(is);
  }

  /// Ends all processes.
  void fail(std::string_view why) noexcept override {
    tell_all(why);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  /// The process exits within its work. With a status of 0, MPICH's launcher would end the others and call it a
  /// success.
  void exit_early() noexcept {
    tell_all("it called exit before it returned from its work");
    _exit(EXIT_FAILURE);
  }

  /// Waits until what this rank sent has gone, and all ranks have returned.
  void finish() {
    waits_for({"the other ranks to return"});
    detail::wait_watch watch(*this, -1, limits_);
    for (message& m : sent_)
      for (MPI_Request& request : m.requests) wait_for(request, -1, watch);
    sent_.clear();
    if (!heart_) return barrier(*this);
    heart_->returned();
    wait_until(watch, -1, [&] { return heart_->all_returned(); });
  }

 private:
  struct message {
    message_room room{};
    std::vector<MPI_Request> requests{};
  };
  struct expected_message {
    std::int64_t bytes = 0;
    std::vector<MPI_Request> requests{};
  };

  void let_go_of_sent() {
    sent_.remove_if([this](message& m) {
      int all = 0;
      check(MPI_Testall(static_cast<int>(m.requests.size()), m.requests.data(), &all, MPI_STATUSES_IGNORE),
            "MPI_Testall");
      if (all != 0) keep(std::move(m.room));
      return all != 0;
    });
  }
  /// The bytes that came.
  std::int64_t wait_for(MPI_Request& request, int from, detail::wait_watch& watch) {
    MPI_Status status;
    wait_until(watch, from, [&] {
      int done = 0;
      check(MPI_Test(&request, &done, &status), from < 0 ? "sending a message" : "receiving a message");
      return done != 0;
    });
    int bytes = 0;
    if (from >= 0) check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    return bytes;
  }
  /// Yields the processor, since other ranks may need it to send. Where a yield takes long, busy programs share the
  /// processor: a rank that sleeps for a moment is woken before they are done, and one that yields is not.
  template <class IsDone> void wait_until(detail::wait_watch& watch, int from, const IsDone& is_done) {
    constexpr std::chrono::microseconds long_yield(100), nap(20), between_looks(10'000);
    if (is_done()) return;
    const marked_as_waiting mark(heart_.get());
    clock::time_point next = clock::now() + between_looks;
    for (int tries = 0; !is_done(); ++tries) {
      if (tries < 64) continue;
      const clock::time_point before = clock::now();
      if (before < shared_until_) std::this_thread::sleep_for(nap);
      else std::this_thread::yield();
      const clock::time_point now = clock::now();
      if (before >= shared_until_ && now - before > long_yield) shared_until_ = now + std::chrono::seconds(1);
      if (now < next) continue;
      look_after_others(watch, from);
      next = now + between_looks;
    }
  }
  void look_after_others(detail::wait_watch& watch, int from) {
    if (!heart_) return watch.look([](int) { return detail::rank_activity{.waits = true}; });
    if (heart_->is_over())
      throw error(heart_->verdict() + " while rank " + std::to_string(rank_) + " waited for " + to_string(waits_for()));
    // What a rank sent before it returned comes soon.
    if (from >= 0 && heart_->activity(from).returned && watch.has_lasted(std::chrono::seconds(2)))
      watch.refuse_returned();
    watch.look([&](int rank) { return heart_->activity(rank); });
  }

  void tell_all(std::string_view why) noexcept {
    if (!heart_ || !heart_->was_told()) say("failed", why);
    if (heart_) heart_->fail(why);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // or MPICH's launcher drops what was said
  }
  void say(const char* what, std::string_view why) noexcept {
    if (has_said_.exchange(true)) return;
    std::fprintf(stderr, "rank %d %s: %.*s\n", rank_, what, static_cast<int>(why.size()), why.data());
    std::fflush(stderr);
  }
  /// The beating thread, where this rank computes on though another is lost.
  void end_process(const std::string& why) {
    if (!heart_->was_told() && !why.empty()) say("ends", why);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    _exit(EXIT_FAILURE);
  }

  detail::wait_limits limits_;
  clock::time_point shared_until_{};  // other programs have a share of the processor
  std::atomic<bool> has_said_{false};
  int rank_ = 0, size_ = 1;
  std::list<message> sent_{};
  std::map<std::pair<int, std::uint64_t>, expected_message> expected_{};
  std::unique_ptr<detail::heartbeat> heart_{};  // the last member: its thread calls the others
};

/// The rank of this process, from the begin to the end of its work.
std::atomic<mpi_rank*> at_work{nullptr};

}  // namespace

bool detail::is_process(const communicator& ranks) { return dynamic_cast<const mpi_rank*>(&ranks) != nullptr; }

int run_mpi(const std::function<void(communicator&)>& work, const mpi_rank_options& how) {
  int threads = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads), "MPI_Init_thread");
  mpi_rank mine(how);
  std::atexit([] {
    if (mpi_rank* const rank = at_work.exchange(nullptr)) rank->exit_early();
  });
  at_work = &mine;
  try {
    mine.begin_to_beat();
    work(mine);
    mine.finish();
  } catch (const std::exception& e) {
    mine.fail(e.what());
  } catch (...) {
    mine.fail("it threw what is no std::exception");
  }
  at_work = nullptr;
  check(MPI_Finalize(), "MPI_Finalize");  // which may wait for a rank that is lost: the heart beats on
  return EXIT_SUCCESS;
}

}  // namespace stg
