// An NCCL of the host's: messages between the devices of a fake CUDA, which can come late, in another order, or fail.
#pragma once

#include "support/fake_cuda.hpp"  // fake_cuda

#include <stg/runtime/cuda/nccl.hpp>  // nccl, nccl_status

#include <chrono>   // microseconds, steady_clock
#include <cstddef>  // byte
#include <cstring>  // memcpy
#include <deque>    // deque
#include <map>      // map
#include <memory>   // shared_ptr
#include <mutex>    // mutex, scoped_lock
#include <random>   // mt19937_64
#include <set>      // set
#include <string>   // string
#include <utility>  // pair
#include <vector>   // vector

/// What a handle of the fake stands for: one rank of a group.
struct ncclComm {
  std::uint64_t group = 0;
  int rank = 0, ranks = 0;
  int groups_of_calls = 0;  // so far
  bool is_aborted = false, is_finalized = false;
  stg::gpu::nccl_status error{};
};

namespace stg::test {

using gpu::nccl_status;

struct fake_nccl_options {
  std::chrono::microseconds delay{0};  // of each message
  std::uint64_t reorder = 0;           // not 0: messages of different ranks come in an order drawn by this seed
  int failing_rank = -1;               // whose call number `failing_call` says `failure`
  int failing_call = 0;
  nccl_status failure = static_cast<nccl_status>(3);
  int late_error_rank = -1;  // who, after its group of calls number `late_error_group`, is told `failure` by
  int late_error_group = 0;  // async_error, and whose messages from then on do not go
  bool in_progress = true;   // calls that NCCL ends in a thread of its own say so
};

/// Sends of a group of calls lie in a box when the stream comes to them; receives hold the stream up until theirs have
/// come. Messages between two ranks keep their order. What NCCL leaves undefined is in the books of the fake CUDA.
class fake_nccl final : public gpu::nccl {
 public:
  explicit fake_nccl(fake_cuda& on, const fake_nccl_options& how = {})
      : cuda_(on), options_(how), draws_(how.reorder) {}

  int alive() const { return static_cast<int>(handles_.size()); }
  std::int64_t messages() const { return messages_; }

  nccl_status version(int* number) override { return *number = 23203, nccl_status::success; }
  nccl_status unique_id(gpu::nccl_id* id) override {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t group = ++groups_;
    std::memcpy(id->bytes, &group, sizeof group);
    return nccl_status::success;
  }
  nccl_status init(gpu::nccl_handle* made, int ranks, const gpu::nccl_id& id, int rank) override {
    const std::scoped_lock lock(mutex_);
    *made = new ncclComm;
    (*made)->rank = rank;
    (*made)->ranks = ranks;
    std::memcpy(&(*made)->group, id.bytes, sizeof(*made)->group);
    handles_.insert(*made);
    if (const nccl_status s = counted(rank); s != nccl_status::success) return s;
    joined_[(*made)->group].insert(rank);
    return nccl_status::in_progress;
  }
  /// As NCCL's, has not ended before all ranks call it.
  nccl_status finalize(gpu::nccl_handle of) override {
    const std::scoped_lock lock(mutex_);
    leaving_[of->group].insert(of->rank);
    of->is_finalized = true;
    return nccl_status::in_progress;
  }
  nccl_status destroy(gpu::nccl_handle of) override { return gone(of); }
  nccl_status abort(gpu::nccl_handle of) override { return gone(of); }
  nccl_status async_error(gpu::nccl_handle of, nccl_status* now) override {
    const std::scoped_lock lock(mutex_);
    *now = of->error;
    if (of->error == nccl_status::success && static_cast<int>(joined_[of->group].size()) < of->ranks)
      *now = nccl_status::in_progress;
    if (of->is_finalized && static_cast<int>(leaving_[of->group].size()) < of->ranks) *now = nccl_status::in_progress;
    return nccl_status::success;
  }
  nccl_status group_start() override {
    const std::scoped_lock lock(mutex_);
    return open_[std::this_thread::get_id()] = {}, nccl_status::success;
  }
  nccl_status group_end() override;
  nccl_status send(const std::byte* from, std::int64_t bytes, int to, gpu::nccl_handle of,
                   gpu::stream_handle on) override {
    return add({to, const_cast<std::byte*>(from), bytes, true}, of, on);
  }
  nccl_status receive(std::byte* to, std::int64_t bytes, int from, gpu::nccl_handle of,
                      gpu::stream_handle on) override {
    return add({from, to, bytes, false}, of, on);
  }
  std::string text(nccl_status s) override { return "fake status " + std::to_string(static_cast<int>(s)); }

 private:
  using clock = std::chrono::steady_clock;
  struct call_of_group {
    int other;
    std::byte* data;
    std::int64_t bytes;
    bool sends;
  };
  struct group_of_calls {
    std::vector<call_of_group> calls{};
    gpu::nccl_handle of = nullptr;
    gpu::stream_handle on = nullptr;
    bool has_sent = false;
  };
  struct sent_message {
    std::vector<std::byte> bytes{};
    clock::time_point arrives{};
  };
  struct way {
    std::uint64_t group;
    int from, to;
    auto operator<=>(const way&) const = default;
  };

  nccl_status counted(int rank) {
    return options_.failing_rank == rank && calls_[rank]++ == options_.failing_call ? options_.failure
                                                                                    : nccl_status::success;
  }
  nccl_status add(const call_of_group& call, gpu::nccl_handle of, gpu::stream_handle on) {
    const std::scoped_lock lock(mutex_);
    if (const nccl_status s = counted(of->rank); s != nccl_status::success) return s;
    const auto open = open_.find(std::this_thread::get_id());
    if (open == open_.end()) return nccl_status::invalid_usage;  // stg's are all in groups
    if (handles_.count(of) == 0 || call.other == of->rank || call.other < 0 || call.other >= of->ranks)
      return nccl_status::invalid_argument;
    open->second.calls.push_back(call);
    open->second.of = of;
    open->second.on = on;
    return nccl_status::success;
  }
  nccl_status gone(gpu::nccl_handle of) {
    const std::scoped_lock lock(mutex_);
    if (handles_.erase(of) == 0) return nccl_status::invalid_argument;
    of->is_aborted = true;
    ended_.emplace_back(of);  // work of its stream may still look at it
    cuda_.wake();
    return nccl_status::success;
  }
  /// Sends, the first time; whether all that it receives has come. In the fake CUDA's lock.
  bool is_ready(group_of_calls& all) {
    const std::scoped_lock lock(mutex_);
    if (all.of->is_aborted) return true;
    if (all.of->error != nccl_status::success) return false;
    if (!std::exchange(all.has_sent, true)) put_messages(all);
    const auto now = clock::now();
    std::map<int, std::size_t> looked;  // at the messages of a rank
    for (const call_of_group& c : all.calls) {
      if (c.sends) continue;
      const std::deque<sent_message>& box = boxes_[{all.of->group, c.other, all.of->rank}];
      const std::size_t k = looked[c.other]++;
      if (k >= box.size() || box[k].arrives > now) return false;
    }
    return true;
  }
  void put_messages(const group_of_calls& all) {
    for (const call_of_group& c : all.calls) {
      if (!c.sends) continue;
      cuda_.touch(c.data, c.bytes);
      sent_message m;
      m.bytes.assign(c.data, c.data + c.bytes);
      m.arrives = clock::now() + options_.delay;
      if (options_.reorder != 0) m.arrives += std::chrono::microseconds(draws_() % 3000);
      boxes_[{all.of->group, all.of->rank, c.other}].push_back(std::move(m));
      ++messages_;
    }
    cuda_.wake();
  }
  void take_messages(const group_of_calls& all) {
    const std::scoped_lock lock(mutex_);
    if (all.of->is_aborted) return;
    for (const call_of_group& c : all.calls) {
      if (c.sends) continue;
      std::deque<sent_message>& box = boxes_[{all.of->group, c.other, all.of->rank}];
      cuda_.touch(c.data, c.bytes);
      if (static_cast<std::int64_t>(box.front().bytes.size()) != c.bytes)
        cuda_.misuses.push_back("a message of another length than its receive");
      else std::memcpy(c.data, box.front().bytes.data(), box.front().bytes.size());
      box.pop_front();
    }
  }

  fake_cuda& cuda_;
  fake_nccl_options options_;
  std::mt19937_64 draws_;
  std::mutex mutex_;
  std::uint64_t groups_ = 0;
  std::int64_t messages_ = 0;
  std::map<int, int> calls_{};                                   // of each rank
  std::map<std::uint64_t, std::set<int>> joined_{}, leaving_{};  // by group: ranks
  std::set<gpu::nccl_handle> handles_{};
  std::vector<std::unique_ptr<ncclComm>> ended_{};
  std::map<std::thread::id, group_of_calls> open_{};
  std::map<way, std::deque<sent_message>> boxes_{};
};

inline nccl_status fake_nccl::group_end() {
  std::shared_ptr<group_of_calls> all;
  {
    const std::scoped_lock lock(mutex_);
    const auto open = open_.find(std::this_thread::get_id());
    if (open == open_.end()) return nccl_status::invalid_usage;
    all = std::make_shared<group_of_calls>(std::move(open->second));
    open_.erase(open);
    if (all->of == nullptr) return nccl_status::success;
    if (const nccl_status s = counted(all->of->rank); s != nccl_status::success) return s;
    if (options_.late_error_rank == all->of->rank && all->of->groups_of_calls++ == options_.late_error_group)
      all->of->error = options_.failure;
  }
  cuda_.launch_when(
      all->on, [this, all] { return is_ready(*all); }, [this, all] { take_messages(*all); });
  return options_.in_progress ? nccl_status::in_progress : nccl_status::success;
}

/// The fake in place of NCCL while this lives.
class fake_nccl_in_place {
 public:
  explicit fake_nccl_in_place(fake_nccl& fake) : before_(gpu::install_nccl(&fake)) {}
  fake_nccl_in_place(const fake_nccl_in_place&) = delete;
  ~fake_nccl_in_place() { gpu::install_nccl(before_); }

 private:
  gpu::nccl* before_;
};

}  // namespace stg::test
