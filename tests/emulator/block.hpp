// The thread-group interface on the host: what a kernel gets as its block, and the groups of it.
#pragma once

#include <algorithm>    // copy_n, all_of
#include <cstring>      // memcpy, memcmp
#include <type_traits>  // is_trivially_copyable_v

#include <stg/codegen/cuda/group.hpp>  // pack, divides_block

#include "emulator/machine.hpp"  // machine, collective

namespace stg::emulator {

/// Access to memory, the part that blocks and groups have in common. Numbers are copied byte by byte: where memory is
/// not checked, an address that a GPU would refuse is nothing worse here.
class memory {
 public:
  template <class T> T load(const T* p, place at = place::here()) const { return get<T, access::read>(p, at); }
  template <class T> void store(T* p, std::type_identity_t<T> v, place at = place::here()) const { put(p, v, at); }

  template <int N, class T> gpu::pack<T, N> load_pack(const T* p, place at = place::here()) const {
    return get<gpu::pack<T, N>, access::read>(p, at);
  }
  template <class T, int N> void store_pack(T* p, const gpu::pack<T, N>& v, place at = place::here()) const {
    put(p, v, at);
  }
  template <class T> T load_constant(const T* p, place at = place::here()) const {
    return get<T, access::read_constant>(p, at);
  }
  template <int N, class T> gpu::pack<T, N> load_constant_pack(const T* p, place at = place::here()) const {
    return get<gpu::pack<T, N>, access::read_constant>(p, at);
  }

  template <class T> T atomic_add(T* p, std::type_identity_t<T> v, place at = place::here()) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomic_add takes a number of 4 or 8 bytes");
    const T before = get<T, access::atomic>(p, at);
    const T after = static_cast<T>(before + v);
    std::memcpy(p, &after, sizeof(T));
    return before;
  }

  template <int N = 1, class T> void copy_async(T* to, const T* from, place at = place::here()) const {
    constexpr int bytes = N * sizeof(T);
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "copy_async moves 4, 8 or 16 bytes");
    if (watch().checking()) watch().copy(thread_, to, from, bytes, at);
    else std::memcpy(to, from, bytes);
  }
  void wait_copies(place at = place::here()) const {
    if (watch().checking()) watch().wait_copies(thread_, at);
  }

 protected:
  memory(emulator::machine& machine, int thread) : machine_(&machine), thread_(thread) {}

  memory_watch& watch() const { return machine_->memory(); }

  emulator::machine* machine_;
  int thread_;

 private:
  template <class T, access Access> T get(const void* p, place at) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (watch().checking()) watch().check(thread_, Access, p, sizeof(T), aligned_to<T>, at);
    T v;
    std::memcpy(&v, p, sizeof(T));
    return v;
  }
  template <class T> void put(void* p, const T& v, place at) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (watch().checking()) watch().check(thread_, access::write, p, sizeof(T), aligned_to<T>, at);
    std::memcpy(p, &v, sizeof(T));
  }
  /// A device moves a number by one instruction, and one of 16 bytes at most.
  template <class T> static constexpr std::size_t aligned_to = sizeof(T) < 16 ? sizeof(T) : 16;
};

/// Lanes consecutive threads.
template <int Lanes> class thread_group : public memory {
 public:
  thread_group(emulator::machine& machine, int thread) : memory(machine, thread) {}

  int rank() const { return thread_ % Lanes; }
  static constexpr int size() { return Lanes; }

  void sync(place at = place::here()) const {
    if (machine_->meet(thread_, meeting_lanes, collective::sync, nullptr, at)) {
      watch().barrier(thread_, meeting_lanes);
      machine_->release(thread_, meeting_lanes);
    }
  }

  template <class T>
    requires(Lanes <= 32)
  T shuffle(T v, int from, place at = place::here())
  const {
    struct lane {
      T v;
      int from;
      T result;
    } mine{v, from, v};
    if (from < 0 || from >= Lanes) machine_->fail_shuffle(thread_, Lanes, from, at);
    together(collective::shuffle, mine, at, [](lane* const* lanes) {
      for (int i = 0; i < Lanes; ++i) lanes[i]->result = lanes[lanes[i]->from]->v;
    });
    return mine.result;
  }

  unsigned ballot(bool b, place at = place::here()) const requires(Lanes <= 32) {
    return vote(collective::ballot, b, at);
  }
  bool any(bool b, place at = place::here()) const requires(Lanes <= 32) { return vote(collective::any, b, at) != 0; }

  template <class T, class Op> T reduce(T v, Op op, place at = place::here()) const {
    static_assert(Lanes <= 32 || sizeof(T) <= 8, "a reduction over more than 32 lanes takes a number of up to 8 bytes");
    together(collective::reduce, v, at, [&](T* const* lanes) {
      T values[Lanes];
      for (int i = 0; i < Lanes; ++i) values[i] = *lanes[i];
      for (int first = 0; first < Lanes; first += run)
        if (!butterfly(values + first, op)) machine_->fail_reduction(thread_, Lanes, at);
      for (int i = run; i < Lanes; i += run) values[0] = op(values[0], values[i]);
      for (int i = 0; i < Lanes; ++i) *lanes[i] = values[0];
      if (Lanes > 32) watch().barrier(thread_, meeting_lanes);
    });
    return v;
  }

 private:
  static constexpr int meeting_lanes = Lanes > 32 ? whole_block : Lanes;
  static constexpr int run = Lanes > 32 ? 32 : Lanes;

  /// Every lane combines its own number with that of the lane whose rank differs in one bit, as on the device. Whether
  /// all have the same bits in the end.
  template <class T, class Op> static bool butterfly(T* values, Op op) {
    for (int step = run / 2; step > 0; step /= 2) {
      T before[run];
      std::copy_n(values, run, before);
      for (int i = 0; i < run; ++i) values[i] = op(before[i], before[i ^ step]);
    }
    return std::all_of(values, values + run, [&](const T& v) {
      if constexpr (std::is_floating_point_v<T>)
        if (v != v && values[0] != values[0]) return true;  // a device has one NaN, a host many
      return std::memcmp(&v, values, sizeof(T)) == 0;
    });
  }

  unsigned vote(collective what, bool b, place at) const {
    struct lane {
      bool b;
      unsigned result;
    } mine{b, 0};
    together(what, mine, at, [](lane* const* lanes) {
      unsigned bits = 0;
      for (int i = 0; i < Lanes; ++i) bits |= static_cast<unsigned>(lanes[i]->b) << i;
      for (int i = 0; i < Lanes; ++i) lanes[i]->result = bits;
    });
    return mine.result;
  }

  /// Waits until all lanes have brought theirs; the last one calls work with the addresses of all.
  template <class Mine, class Work> void together(collective what, Mine& mine, place at, Work work) const {
    if (!machine_->meet(thread_, meeting_lanes, what, &mine, at)) return;
    Mine* lanes[Lanes];
    for (int i = 0; i < Lanes; ++i) lanes[i] = static_cast<Mine*>(machine_->brought(thread_ - rank() + i));
    work(lanes);
    machine_->release(thread_, meeting_lanes);
  }
};

/// One thread's view of its block.
class block : public memory {
 public:
  block(emulator::machine& machine, int thread) : memory(machine, thread) {}

  std::int64_t index() const { return machine_->block(); }
  std::int64_t count() const { return machine_->grid().blocks; }
  int thread() const { return thread_; }
  int threads() const { return machine_->grid().threads; }
  std::byte* shared() const { return watch().shared(); }

  void sync(place at = place::here()) const {
    if (machine_->meet(thread_, whole_block, collective::sync, nullptr, at)) {
      watch().barrier(thread_, whole_block);
      machine_->release(thread_, whole_block);
    }
  }

  template <int Lanes> thread_group<Lanes> group(place at = place::here()) const {
    static_assert(gpu::divides_block<Lanes>(),
                  "a group has 1, 2, 4, 8, 16 or 32 lanes, or all of its block, a multiple of 32");
    if (!gpu::divides_block<Lanes>(threads())) machine_->fail_group(thread_, Lanes, at);
    return {*machine_, thread_};
  }
};

}  // namespace stg::emulator
