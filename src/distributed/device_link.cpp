// Messages between devices.
#include "device_link.hpp"

#include <algorithm>  // min
#include <chrono>     // seconds, steady_clock
#include <cstring>    // memcmp, memcpy
#include <exception>  // uncaught_exceptions
#include <span>       // as_bytes, span
#include <string>     // string, to_string
#include <thread>     // yield
#include <utility>    // exchange, move

namespace stg::gpu {

namespace {

constexpr const char* of_links = "rows of other ranks";
const purpose why_linked{of_links};

std::string named_rank(int rank) { return "rank " + std::to_string(rank); }

}  // namespace

block device_link::take_block(std::int64_t bytes, stream_handle used_by) {
  std::size_t best = spare_.size();
  for (std::size_t k = 0; k < spare_.size(); ++k)
    if (best == spare_.size() || (spare_[k].capacity() >= bytes) > (spare_[best].capacity() >= bytes) ||
        ((spare_[k].capacity() >= bytes) == (spare_[best].capacity() >= bytes) &&
         spare_[k].capacity() < spare_[best].capacity()))
      best = k;
  block found(on);
  if (best < spare_.size()) {
    found = std::move(spare_[best]);
    spare_.erase(spare_.begin() + static_cast<std::ptrdiff_t>(best));
  }
  if (found.capacity() >= bytes) return found;
  order(used_by, on->stream());  // which gives back the smaller one
  found.reserve(bytes, why_linked);
  order(on->stream(), used_by);
  return found;
}

owned_event device_link::event() {
  if (!events_.empty()) {
    owned_event found = std::move(events_.back());
    events_.pop_back();
    return found;
  }
  owned_event made(on->calls());
  check(on->calls(), why_linked, "cudaEventCreate", on->calls().event_create(made.out(), false));
  return made;
}

void device_link::order(stream_handle first, stream_handle then) {
  if (first == then) return;
  owned_event e = event();
  check(on->calls(), why_linked, "cudaEventRecord", on->calls().event_record(e.get(), first));
  check(on->calls(), why_linked, "cudaStreamWaitEvent", on->calls().stream_wait(then, e.get()));
  keep_event(std::move(e));
}

namespace {

/// Through the memory of the hosts, by the ranks' own messages.
class host_link final : public device_link {
 public:
  using device_link::device_link;

  bool is_nccl() const override { return false; }

  void post(device_messages& m, stream_handle from) override {
    m.rooms.clear();
    for (const bytes_with_rank& t : m.taken) {
      m.rooms.push_back(ranks.room_for(t.bytes));
      ranks.expect(t.rank, m.tag, m.rooms.back().data.get(), t.bytes);
    }
    order(from, on->stream());
    for (const bytes_with_rank& s : m.sent) {
      message_room room = ranks.room_for(s.bytes);
      on->download(room.data.get(), s.data, s.bytes, why_linked);
      ranks.send(s.rank, m.tag, std::move(room));
    }
    m.is_under_way = true;
    ranks.progress();
  }
  void take(device_messages& m, stream_handle to) override {
    ranks.waits_for(m.names);
    for (const bytes_with_rank& t : m.taken) ranks.receive(t.rank, m.tag);
    order(to, on->stream());
    for (std::size_t k = 0; k < m.taken.size(); ++k) {
      on->upload(m.taken[k].data, m.rooms[k].data.get(), m.taken[k].bytes, why_linked);
      ranks.keep(std::move(m.rooms[k]));
    }
    m.rooms.clear();
    order(on->stream(), to);
  }
  void finish(device_messages& m) override { m.is_under_way = false; }
};

/// NCCL's sends and receives, on a stream of their own beside the program's.
class nccl_link final : public device_link {
 public:
  nccl_link(communicator& of, std::shared_ptr<device> here, nccl& with)
      : device_link(of, std::move(here)), calls_(with), stream_(on->calls()) {}
  /// Where all ranks leave in order, NCCL may wait for them. An error's rank does not: the others wait for its reason.
  ~nccl_link() override {
    if (handle_ == nullptr) return;
    if (std::uncaught_exceptions() > 0 || !is_finalized()) calls_.abort(handle_);
    else calls_.destroy(handle_);
  }
  /// All ranks join; id: of rank 0.
  void join(const nccl_id& id) {
    const current_device now(on->calls(), on->index(), why_linked);
    check(on->calls(), why_linked, "cudaStreamCreate", on->calls().stream_create(stream_.out()));
    ranks.waits_for({"all devices to be joined"});
    try {
      settle("ncclCommInitRankConfig", calls_.init(&handle_, ranks.size(), id, ranks.rank()), -1);
    } catch (...) {
      give_up();
      throw;
    }
  }

  bool is_nccl() const override { return true; }

  void post(device_messages& m, stream_handle from) override {
    if (handle_ == nullptr)
      throw error("links of " + named_rank(ranks.rank()) + " were given up after an error; make new ones on all ranks");
    if (m.sent.empty() && m.taken.empty()) return;
    ranks.waits_for(m.names);
    order(from, stream_.get());
    expect_success("ncclGroupStart", calls_.group_start(), -1);
    for (const bytes_with_rank& s : m.sent)
      expect_success("ncclSend", calls_.send(s.data, s.bytes, s.rank, handle_, stream_.get()), s.rank);
    for (const bytes_with_rank& t : m.taken)
      expect_success("ncclRecv", calls_.receive(t.data, t.bytes, t.rank, handle_, stream_.get()), t.rank);
    settle("ncclGroupEnd", calls_.group_end(), only_rank(m));
    m.done = event();
    check(on->calls(), why_linked, "cudaEventRecord", on->calls().event_record(m.done.get(), stream_.get()));
    m.is_under_way = true;
  }
  void take(device_messages& m, stream_handle to) override {
    if (m.is_under_way)
      check(on->calls(), why_linked, "cudaStreamWaitEvent", on->calls().stream_wait(to, m.done.get()));
  }
  void finish(device_messages& m) override {
    if (!m.is_under_way) return;
    ranks.waits_for(m.names);
    const int from = only_rank(m);
    wait_until(from, "messages between devices", [&] {
      bool reached = false;
      check(on->calls(), why_linked, "cudaEventQuery", on->calls().event_query(m.done.get(), &reached));
      return reached;
    });
    keep_event(std::move(m.done));
    m.is_under_way = false;
  }
  void give_up() noexcept override {
    if (handle_ == nullptr) return;
    calls_.abort(std::exchange(handle_, nullptr));
    on->calls().stream_synchronize(stream_.get());  // what was aborted leaves memory that is given back after this
  }

 private:
  bool is_finalized() noexcept {
    constexpr std::chrono::seconds longest(5);
    const auto begun = std::chrono::steady_clock::now();
    nccl_status now = calls_.finalize(handle_);
    while (now == nccl_status::in_progress || now == nccl_status::success) {
      if (calls_.async_error(handle_, &now) != nccl_status::success) return false;
      if (now == nccl_status::success) return true;
      if (std::chrono::steady_clock::now() - begun > longest) return false;
      std::this_thread::yield();
    }
    return false;
  }
  /// The rank whose message is waited for; -1: several.
  static int only_rank(const device_messages& m) { return m.taken.size() == 1 ? m.taken[0].rank : -1; }

  [[noreturn]] void fail_with(const char* call, nccl_status s, int other) {
    throw error(named_rank(ranks.rank()) + ": " + call + (other < 0 ? "" : " with " + named_rank(other)) + " for " +
                to_string(ranks.waits_for()) + " failed: " + calls_.text(s));
  }
  void expect_success(const char* call, nccl_status s, int other) {
    if (s != nccl_status::success && s != nccl_status::in_progress) fail_with(call, s, other);
  }
  /// Waits for NCCL's own thread.
  void settle(const char* call, nccl_status s, int other) {
    expect_success(call, s, other);
    if (s == nccl_status::in_progress) wait_until(other, call, [] { return true; });
  }
  /// Until NCCL is idle, and is_there. If NCCL reports a failure elsewhere, the failed rank's own reason is waited for.
  template <class IsThere> void wait_until(int from, const char* call, const IsThere& is_there) {
    constexpr std::chrono::seconds for_the_reason(2);
    const auto never = std::chrono::steady_clock::time_point::max();
    auto failed_at = never;
    ranks.wait_until(from, [&] {
      nccl_status now = nccl_status::success;
      const nccl_status asked = calls_.async_error(handle_, &now);
      if (asked != nccl_status::success) fail_with("ncclCommGetAsyncError", asked, from);
      if (now == nccl_status::success) return is_there();
      if (now == nccl_status::in_progress) return false;
      const auto time = std::chrono::steady_clock::now();
      if (failed_at == never) failed_at = time;
      if (now != nccl_status::remote_error || time - failed_at > for_the_reason) fail_with(call, now, from);
      return false;
    });
  }

  nccl& calls_;
  owned<stream_handle, &api::stream_destroy> stream_;
  nccl_handle handle_ = nullptr;
};

/// What a rank says of itself before devices are joined.
struct link_offer {
  char device[16] = {};
  std::int32_t has_nccl = 0;
};

/// Why NCCL does not join the devices of all ranks; empty where it does.
std::string why_no_nccl(const std::vector<link_offer>& offers) {
  for (std::size_t r = 0; r < offers.size(); ++r) {
    if (offers[r].has_nccl == 0) return named_rank(static_cast<int>(r)) + " has no NCCL";
    for (std::size_t k = 0; k < r; ++k)
      if (std::memcmp(offers[k].device, offers[r].device, sizeof offers[r].device) == 0)
        return named_rank(static_cast<int>(k)) + " and " + named_rank(static_cast<int>(r)) + " have one device";
  }
  return "";
}

template <class T> std::vector<T> said_by_all(communicator& ranks, const T& mine) {
  std::vector<T> all;
  for (const std::vector<std::byte>& bytes :
       gathered_bytes(ranks, std::as_bytes(std::span<const T>(&mine, 1)), {"the devices of all ranks"})) {
    T& theirs = all.emplace_back();
    std::memcpy(static_cast<void*>(&theirs), bytes.data(), std::min(sizeof(T), bytes.size()));
  }
  return all;
}

}  // namespace

std::shared_ptr<device_link> make_device_link(communicator& ranks, std::shared_ptr<device> on, bool may_be_nccl,
                                              bool may_be_host) {
  if (ranks.size() == 1 && may_be_host) may_be_nccl = false;  // there is nobody to send to
  link_offer mine;
  std::memcpy(mine.device, on->properties().uuid, sizeof mine.device);
  nccl* const calls = may_be_nccl ? installed_nccl() : nullptr;
  mine.has_nccl = calls != nullptr;
  std::string why = why_no_nccl(said_by_all(ranks, mine));
  if (!may_be_nccl) why = ranks.size() == 1 ? "there is one rank" : "it was asked for";
  if (!why.empty()) {
    if (may_be_nccl && calls == nullptr) why += ": " + nccl_problem();
    if (!may_be_host) throw error("device_links: NCCL cannot join the devices of all ranks, since " + why);
    auto made = std::make_shared<host_link>(ranks, std::move(on));
    made->why_by_host = "rows go through the memory of the hosts, since " + why;
    return made;
  }
  nccl_id id;
  nccl_status s = nccl_status::success;
  if (ranks.rank() == 0) s = calls->unique_id(&id);
  struct id_of_group {
    nccl_id id;
    std::int32_t status;
  };
  const id_of_group of = said_by_all(ranks, id_of_group{id, static_cast<std::int32_t>(s)})[0];
  if (of.status != 0)
    throw error("device_links: ncclGetUniqueId of rank 0 failed: " + calls->text(static_cast<nccl_status>(of.status)));
  auto made = std::make_shared<nccl_link>(ranks, std::move(on), *calls);
  made->join(of.id);
  return made;
}

}  // namespace stg::gpu
