// What all ranks do together, over messages between two.
#include <stg/runtime/communicator.hpp>

#include <cstring>  // memcpy
#include <vector>   // vector

namespace stg {

communicator::~communicator() = default;

namespace {

/// The numbers of all ranks, by rank. Every rank sends its own to all others.
std::vector<std::uint64_t> gathered(communicator& ranks, std::uint64_t number) {
  const std::uint64_t tag = ranks.next_tag();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()), number);
  const auto place = [&](int rank) { return reinterpret_cast<std::byte*>(&all[static_cast<std::size_t>(rank)]); };
  const auto each_other = [&](const auto& body) {
    for (int other = 0; other < ranks.size(); ++other)
      if (other != ranks.rank()) body(other);
  };
  each_other([&](int other) { ranks.expect(other, tag, place(other), sizeof number); });
  each_other([&](int other) {
    ranks.send(other, tag, reinterpret_cast<const std::byte*>(&number), sizeof number);
  });
  each_other([&](int other) { ranks.receive(other, tag); });
  return all;
}

}  // namespace

void barrier(communicator& ranks) { (void)gathered(ranks, 0); }

bool all_agree(communicator& ranks, std::uint64_t number) {
  for (const std::uint64_t theirs : gathered(ranks, number))
    if (theirs != number) return false;
  return true;
}

}  // namespace stg
