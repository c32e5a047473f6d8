// What all ranks do together, over messages between two.
#include <stg/runtime/communicator.hpp>

#include <algorithm>  // lower_bound, min_element
#include <bit>        // bit_cast
#include <cstring>    // memcpy
#include <memory>     // make_unique_for_overwrite
#include <string>     // string, to_string
#include <thread>     // yield
#include <utility>    // exchange, move
#include <vector>     // vector

namespace stg {

communicator::~communicator() = default;

std::string to_string(const awaited& messages) {
  std::string text(messages.what);
  if (!messages.of.empty()) text += " '" + std::string(messages.of) + "'";
  if (messages.call >= 0) text += " in call " + std::to_string(messages.call);
  return text;
}

void communicator::send(int to, std::uint64_t tag, const std::byte* data, std::int64_t bytes) {
  message_room copy = room_for(bytes);
  if (bytes > 0) std::memcpy(copy.data.get(), data, static_cast<std::size_t>(bytes));
  send(to, tag, std::move(copy));
}

void communicator::wait_until(int /*from*/, const std::function<bool()>& is_there) {
  while (!is_there()) std::this_thread::yield();
}

message_room communicator::room_for(std::int64_t bytes) {
  constexpr std::int64_t little = 4096;
  for (message_room& kept : spare_) {
    if (kept.capacity < bytes || kept.capacity > 2 * bytes + little) continue;
    message_room found = std::exchange(kept, std::move(spare_.back()));
    spare_.pop_back();
    found.bytes = bytes;
    return found;
  }
  return {std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes)), bytes, bytes};
}

void communicator::keep(message_room room) {
  constexpr std::size_t most = 64;
  if (room.data == nullptr) return;
  if (spare_.size() == most) spare_.erase(spare_.begin());  // the one that was given back first
  spare_.push_back(std::move(room));
}

void communicator::number_messages(std::vector<message_name> names) {
  named_ = std::move(names);
  first_named_ = tag_;
  tag_ += named_.size();
}
std::uint64_t communicator::tag_of_message(const message_name& name) const {
  return first_named_ +
         static_cast<std::uint64_t>(std::lower_bound(named_.begin(), named_.end(), name) - named_.begin());
}

namespace {

/// The numbers of all ranks, one rank's behind the other's. Every rank sends its own to all others.
std::vector<std::uint64_t> gathered(communicator& ranks, std::span<const std::uint64_t> mine, const awaited& messages) {
  ranks.waits_for(messages);
  const std::uint64_t tag = ranks.next_tag();
  std::vector<std::uint64_t> all;
  for (int r = 0; r < ranks.size(); ++r) all.insert(all.end(), mine.begin(), mine.end());
  const auto bytes = static_cast<std::int64_t>(mine.size_bytes());
  const auto each_other = [&](const auto& body) {
    for (int other = 0; other < ranks.size(); ++other)
      if (other != ranks.rank()) body(other);
  };
  each_other([&](int other) {
    ranks.expect(other, tag, reinterpret_cast<std::byte*>(all.data() + static_cast<std::size_t>(other) * mine.size()),
                 bytes);
  });
  each_other([&](int other) { ranks.send(other, tag, reinterpret_cast<const std::byte*>(mine.data()), bytes); });
  each_other([&](int other) { ranks.receive(other, tag); });
  return all;
}

}  // namespace

void barrier(communicator& ranks) { (void)all_say(ranks, true, {"a barrier"}); }

int first_difference(communicator& ranks, std::span<const std::uint64_t> numbers, const awaited& messages) {
  const std::vector<std::uint64_t> all = gathered(ranks, numbers, messages);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    for (std::size_t at = k; at < all.size(); at += numbers.size())
      if (all[at] != all[k]) return static_cast<int>(k);
  return -1;
}

std::vector<std::vector<std::byte>> gathered_bytes(communicator& ranks, std::span<const std::byte> mine,
                                                   const awaited& messages) {
  const std::uint64_t length = mine.size();
  const std::vector<std::uint64_t> lengths = gathered(ranks, {&length, 1}, messages);
  const std::uint64_t tag = ranks.next_tag();
  std::vector<std::vector<std::byte>> all(lengths.size());
  for (int r = 0; r < ranks.size(); ++r) {
    std::vector<std::byte>& bytes = all[static_cast<std::size_t>(r)];
    if (r == ranks.rank()) {
      bytes.assign(mine.begin(), mine.end());
      continue;
    }
    bytes.resize(lengths[static_cast<std::size_t>(r)]);
    ranks.expect(r, tag, bytes.data(), std::ssize(bytes));
    ranks.send(r, tag, mine.data(), std::ssize(mine));
  }
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) ranks.receive(r, tag);
  return all;
}

bool all_say(communicator& ranks, bool mine, const awaited& messages) { return least_said(ranks, mine, messages) != 0; }

std::uint64_t least_said(communicator& ranks, std::uint64_t mine, const awaited& messages) {
  const std::vector<std::uint64_t> all = gathered(ranks, {&mine, 1}, messages);
  return *std::min_element(all.begin(), all.end());
}

double agreed(communicator& ranks, double mine) {
  const auto number = std::bit_cast<std::uint64_t>(mine);
  return std::bit_cast<double>(gathered(ranks, {&number, 1}, {"a number to agree on"})[0]);
}

}  // namespace stg
