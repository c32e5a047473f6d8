// Bounds, alignment, what shared memory holds, copies under way; races_ knows the rest.
#include "emulator/memory_watch.hpp"

#include <cstring>    // memcpy, memset
#include <stdexcept>  // invalid_argument

#include "emulator/asan.hpp"          // poison
#include "emulator/memory_names.hpp"  // name_of, is_named

namespace stg::emulator {
namespace {

constexpr std::size_t most_shared_bytes = 227 << 10;  // of a block on sm_90, the largest there is
constexpr std::size_t room = 64 << 10;                // before and behind it: offsets that are wrong are seen to be

constexpr const char* verbs[] = {"reads", "writes", "adds atomically to", "reads as constant"};

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

memory_watch::~memory_watch() { unpoison(arena_.data(), arena_.size()); }

void memory_watch::begin_launch(const gpu::grid& grid, const emulator::checks& checks) {
  if (grid.shared_bytes < 0 || static_cast<std::size_t>(grid.shared_bytes) > most_shared_bytes)
    throw std::invalid_argument("emulator: a block has 0 to 227 KiB of shared memory");
  checks_ = checks;
  checking_ = checks.any();
  threads_ = grid.threads;
  if (arena_.empty()) {
    arena_.resize(2 * room + most_shared_bytes);
    shared_ = arena_.data() + room;
    shared_ += -address(shared_) & 15;
    poison(arena_.data(), arena_.size());
  }
  if (shared_bytes_ != static_cast<std::size_t>(grid.shared_bytes)) {
    poison(shared_, shared_bytes_);
    shared_bytes_ = grid.shared_bytes;
    unpoison(shared_, shared_bytes_);
  }
  states_.resize(shared_bytes_);
  copies_.resize(threads_);
  if (checks_.races) races_.begin_launch();
}

void memory_watch::begin_block(std::int64_t block) {
  block_ = block;
  ++serial_;
  std::memset(shared_, 0xff, shared_bytes_);  // not a number, or -1: what depends on it is seen
  for (auto& copies : copies_) copies.clear();
  if (checks_.races) races_.begin_block(block, threads_);
}

bool memory_watch::near_shared(const void* p) const {
  return address(p) >= address(arena_.data()) && address(p) < address(arena_.data() + arena_.size());
}

void memory_watch::check(int thread, access what, const void* p, std::size_t bytes, std::size_t alignment,
                         place where) {
  if (checks_.memory) {
    if (address(p) % alignment != 0)
      fail(fault_kind::misaligned,
           sentence(thread, what, p, where) + ", which is no multiple of " + std::to_string(alignment) + " bytes");
    if (near_shared(p)) check_shared(thread, what, p, bytes, where);
  }
  if (checks_.named_only && !near_shared(p) && !is_named(p, bytes))
    fail(fault_kind::out_of_bounds,
         sentence(thread, what, p, where) + ": " + std::to_string(bytes) + " bytes that no named array holds");
  if (checks_.races) check_race(thread, what, p, bytes, where);
}

void memory_watch::check_shared(int thread, access what, const void* p, std::size_t bytes, place where) {
  const std::size_t first = offset(p);
  if (first > shared_bytes_ || bytes > shared_bytes_ - first)
    fail(fault_kind::out_of_bounds, sentence(thread, what, p, where) + ": " + std::to_string(bytes) +
                                        " bytes of a block that has " + std::to_string(shared_bytes_));
  if (what == access::read_constant)
    fail(fault_kind::out_of_bounds, sentence(thread, what, p, where) + ", but constants lie in global memory");
  for (std::size_t i = first; i < first + bytes; ++i) {
    if (states_[i].copied_to == serial_)
      fail(fault_kind::unfinished_copy,
           sentence(thread, what, shared_ + i, where) + " before whoever copies to it has waited for the copy");
    if (what == access::write) states_[i].written = serial_;
    else if (states_[i].written != serial_)
      fail(fault_kind::uninitialized,
           sentence(thread, what, shared_ + i, where) + ", which no thread of the block has written");
  }
}

void memory_watch::check_race(int thread, access what, const void* p, std::size_t bytes, place where) {
  const bool shared = near_shared(p);
  const race race = races_.touch(thread, what, shared ? offset(p) : address(p), bytes, shared, where);
  if (!race.found) return;
  const void* at = shared ? shared_ + race.address : reinterpret_cast<const void*>(race.address);
  const std::string other =
      race.block >= 0 ? "block " + std::to_string(race.block) : "thread " + std::to_string(race.thread);
  const bool constant = what == access::read_constant || race.earlier == access::read_constant;
  fail(constant          ? fault_kind::constant_written
       : race.block >= 0 ? fault_kind::race_between_blocks
                         : fault_kind::race,
       sentence(thread, what, at, where) + "; " + other + " " + verbs[static_cast<int>(race.earlier)] + " it (" +
           race.where.text() + ")" +
           (constant          ? " in the same launch"
            : race.block >= 0 ? ""
                              : ", and no barrier of both lies in between"));
}

void memory_watch::copy(int thread, void* to, const void* from, std::size_t bytes, place where) {
  if (!near_shared(to) || near_shared(from))
    fail(fault_kind::out_of_bounds,
         sentence(thread, access::write, to, where) + " by copy_async, which copies from global to shared memory");
  check(thread, access::read, from, bytes, bytes, where);
  check(thread, access::write, to, bytes, bytes, where);
  if (!checks_.memory) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; ++i) states_[offset(to) + i].copied_to = serial_;
  copies_[thread].push_back({static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes, where});
}

void memory_watch::wait_copies(int thread, place where) {
  // A copy reads and writes at any time between its start and here, so both of its ends are looked at again.
  for (const pending_copy& copy : copies_[thread]) {
    for (std::size_t i = 0; i < copy.bytes; ++i) states_[offset(copy.to) + i].copied_to = 0;
    check(thread, access::read, copy.from, copy.bytes, copy.bytes, where);
    check(thread, access::write, copy.to, copy.bytes, copy.bytes, where);
    std::memcpy(copy.to, copy.from, copy.bytes);
  }
  copies_[thread].clear();
}

/// "thread 5 reads h+24 (sweep.hpp:12)".
std::string memory_watch::sentence(int thread, access what, const void* p, place where) const {
  const std::string text = "thread " + std::to_string(thread) + " " + verbs[static_cast<int>(what)] + " ";
  if (!near_shared(p)) return text + name_of(p) + " (" + where.text() + ")";
  const auto from_start = static_cast<const std::byte*>(p) - shared_;
  return text + "shared" + (from_start < 0 ? "" : "+") + std::to_string(from_start) + " (" + where.text() + ")";
}

void memory_watch::fail(fault_kind kind, const std::string& text) const {
  throw fault(kind, "block " + std::to_string(block_) + ": " + text);
}

}  // namespace stg::emulator
