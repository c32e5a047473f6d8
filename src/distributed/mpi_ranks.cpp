// Ranks as processes of MPI. The only file that includes its header.
#include <stg/distributed/mpi_ranks.hpp>

#include <algorithm>  // min
#include <cstdio>     // fprintf
#include <cstdlib>    // EXIT_SUCCESS
#include <exception>  // exception
#include <list>       // list
#include <map>        // map
#include <string>     // string, to_string
#include <thread>     // sleep_for, yield
#include <utility>    // move
#include <vector>     // vector

#include <mpi.h>  // MPI_Irecv, MPI_Isend, ...

#include <stg/base/error.hpp>  // error

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

class mpi_rank final : public communicator {
 public:
  explicit mpi_rank(std::chrono::milliseconds patience) : patience_(patience) {
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
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
    const clock::time_point begun = clock::now();
    std::int64_t arrived = 0;
    for (MPI_Request& request : wanted->second.requests) arrived += wait_for(request, from, begun);
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

  void progress() override { let_go_of_sent(); }

  /// Ends all processes: the others learn of it by nothing else.
  void fail(std::string_view why) noexcept override {
    std::fprintf(stderr, "rank %d failed: %.*s\n", rank_, static_cast<int>(why.size()), why.data());
    std::fflush(stderr);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // or MPICH's launcher drops what was said
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }

  /// Waits until what this rank sent has gone.
  void finish() {
    for (message& m : sent_)
      for (MPI_Request& request : m.requests) wait_for(request, -1, clock::now());
    sent_.clear();
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
  /// The bytes that came. Yields the processor: other ranks may need it to send.
  std::int64_t wait_for(MPI_Request& request, int from, clock::time_point begun) {
    for (std::int64_t tries = 0;; ++tries) {
      int done = 0, bytes = 0;
      MPI_Status status;
      check(MPI_Test(&request, &done, &status), from < 0 ? "sending a message" : "receiving a message");
      if (done) {
        if (from >= 0) check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        return bytes;
      }
      if (tries < 64) continue;
      std::this_thread::yield();
      if (tries % 1024 == 0 && clock::now() - begun > patience_)
        throw error("rank " + std::to_string(rank_) + " waited " + std::to_string(patience_.count()) +
                    " ms for a message from rank " + std::to_string(from) + ", in vain");
    }
  }

  std::chrono::milliseconds patience_;
  int rank_ = 0, size_ = 1;
  std::list<message> sent_{};
  std::map<std::pair<int, std::uint64_t>, expected_message> expected_{};
};

}  // namespace

int run_mpi(const std::function<void(communicator&)>& work, const mpi_rank_options& how) {
  check(MPI_Init(nullptr, nullptr), "MPI_Init");
  {
    mpi_rank mine(how.patience);
    try {
      work(mine);
      barrier(mine);
      mine.finish();
    } catch (const std::exception& e) {
      mine.fail(e.what());
    }
  }
  check(MPI_Finalize(), "MPI_Finalize");
  return EXIT_SUCCESS;
}

}  // namespace stg
