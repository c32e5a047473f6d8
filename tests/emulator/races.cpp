// The shadow of memory that race_detector keeps.
#include "emulator/races.hpp"

#include <algorithm>  // max, fill

namespace stg::emulator {
namespace {

constexpr std::size_t shared_words = (256 << 10) / 4;  // more than any device gives a block
constexpr std::size_t most_regions = 4096;             // of global memory that is kept from launch to launch: 100 MB

}  // namespace

void race_detector::begin_block(std::int64_t block, int threads) {
  block_ = block;
  ++generation_;
  lane_clocks_.clear();
  known_.resize(threads);
  for (int thread = 0; thread < threads; ++thread) {
    known_[thread].fill(0);
    known_[thread][thread % 32] = 1;
  }
}

void race_detector::barrier(int thread, int lanes) {
  if (lanes > 32) {
    ++generation_;
    lane_clocks_.clear();
    return;
  }
  const int first = thread / lanes * lanes;
  std::array<std::uint32_t, 32> all = known_[first];
  for (int lane = 1; lane < lanes; ++lane)
    for (int i = 0; i < 32; ++i) all[i] = std::max(all[i], known_[first + lane][i]);
  for (int lane = first; lane < first + lanes; ++lane) {
    known_[lane] = all;
    ++known_[lane][lane % 32];
  }
}

race race_detector::touch(int thread, access what, std::uintptr_t address, std::size_t bytes, bool shared,
                          place where) {
  race race;
  for (std::uintptr_t at = address, end = address + bytes; at < end;) {
    const std::uintptr_t region_end = shared ? end : std::min(end, (at / region_bytes + 1) * region_bytes);
    if (touch(region_of(at, shared), thread, what, at, region_end, shared, where, race)) return race;
    at = region_end;
  }
  return race;
}

bool race_detector::touch(region& region, int thread, access what, std::uintptr_t at, std::uintptr_t end, bool shared,
                          place where, race& race) {
  while (at < end) {
    const std::size_t word = (shared ? at : at % region_bytes) / 4, byte = at % 4;
    const std::size_t count = std::min<std::size_t>(4 - byte, end - at);
    race.address = at;
    if (count == 4 && region.parts[word] < 0) {
      if (touch(region.cells[word], thread, what, shared, where, race)) return true;
    } else {
      if (region.parts[word] < 0) {
        region.parts[word] = static_cast<std::int32_t>(region.split.size());
        const cell& whole = region.cells[word];
        region.split.push_back({whole, whole, whole, whole});
      }
      bytes_of_word& cells = region.split[region.parts[word]];
      for (std::size_t i = byte; i < byte + count; ++i, ++race.address)
        if (touch(cells[i], thread, what, shared, where, race)) return true;
    }
    at += count;
  }
  return false;
}

bool race_detector::touch(cell& cell, int thread, access what, bool shared, place where, race& race) {
  const bool writes = what == access::write, atomic = what == access::atomic;
  const auto against = [&](const access_set& earlier, access sort) {
    if (earlier.generation == 0 || !conflicts(earlier, what, thread, shared, race)) return false;
    race.found = true;
    race.earlier = sort;
    race.where = earlier.where;
    return true;
  };
  if (against(cell.writes, access::write)) return true;
  if ((writes || atomic) && against(cell.reads, cell.reads.constant ? access::read_constant : access::read))
    return true;
  if (!atomic && against(cell.atomics, access::atomic)) return true;
  access_set& set = writes ? cell.writes : atomic ? cell.atomics : cell.reads;
  note(set, thread, where);
  set.constant = set.constant || what == access::read_constant;
  return false;
}

bool race_detector::conflicts(const access_set& earlier, access what, int thread, bool shared, race& race) const {
  if (!shared) {
    if (earlier.block != block_) {
      race.block = earlier.block;
      return true;
    }
    if (earlier.constant || what == access::read_constant) {  // nothing may write it at any time
      race.thread = earlier.thread;
      return true;
    }
  }
  if (earlier.generation != generation_) return false;
  const auto unordered = [&](int other, std::uint32_t clock) {
    if (other == thread || (other / 32 == thread / 32 && known_[thread][other % 32] >= clock)) return false;
    race.thread = other;
    return true;
  };
  switch (earlier.is) {
    case access_set::form::one:
      return unordered(earlier.thread, earlier.clock);
    case access_set::form::lanes:
      for (int lane = 0; lane < 32; ++lane)
        if (const std::uint32_t clock = lane_clocks_[earlier.clock][lane]; clock != 0)
          if (unordered(earlier.thread / 32 * 32 + lane, clock)) return true;
      return false;
    case access_set::form::many:
      race.thread = earlier.thread / 32 != thread / 32 ? earlier.thread : earlier.other_thread;
      return true;
  }
  return false;
}

/// Adds an access to those that a later one may race with. One that is ordered before this one need not be kept: what
/// races with it and not with this one would have to lie between the two.
void race_detector::note(access_set& set, int thread, place where) {
  using form = access_set::form;
  if (set.block < 0) set.block = static_cast<std::int32_t>(block_);
  const auto replace = [&] {
    set.generation = generation_;
    set.is = form::one;
    set.thread = static_cast<std::uint16_t>(thread);
    set.clock = clock(thread);
  };
  set.where = where;
  if (set.generation != generation_) return replace();
  if (set.is == form::many) return;
  if (set.thread / 32 != thread / 32) {
    set.is = form::many;
    set.other_thread = static_cast<std::uint16_t>(thread);
    return;
  }
  if (set.is == form::one) {
    if (set.thread == thread || known_[thread][set.thread % 32] >= set.clock) return replace();
    lane_clocks_.push_back({});
    lane_clocks_.back()[set.thread % 32] = set.clock;
    set.clock = static_cast<std::uint32_t>(lane_clocks_.size() - 1);
    set.is = form::lanes;
  }
  lane_clocks_[set.clock][thread % 32] = clock(thread);
}

race_detector::region& race_detector::region_of(std::uintptr_t address, bool shared) {
  if (shared) {
    if (!shared_) shared_ = std::make_unique<region>(shared_words);
    return *shared_;
  }
  const std::uintptr_t key = address / region_bytes;
  auto& [recent_key, recent] = recent_[key % recent_.size()];
  if (!recent || recent_key != key) {
    if (global_.size() >= most_regions && global_.find(key) == global_.end()) {
      std::erase_if(global_, [&](const auto& entry) { return entry.second->launch != launch_; });
      recent_.fill({});
    }
    auto& found = global_[key];
    if (!found) found = std::make_unique<region>(region_bytes / 4);
    recent_key = key;
    recent = found.get();
  }
  if (recent->launch != launch_) {
    *recent = region(region_bytes / 4);
    recent->launch = launch_;
  }
  return *recent;
}

}  // namespace stg::emulator
