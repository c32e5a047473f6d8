// What the ranks of a checkpoint compare.
#include <stg/distributed/checkpoint.hpp>

#include <cstring>  // memcmp, memcpy

#include <stg/base/hash.hpp>  // hash_state

namespace stg::detail {

void compared_files::add(const std::string& file, const dimensions& shape, const std::byte* data, std::int64_t bytes,
                         int wrong_on_rank) {
  hash_state all;
  for (const std::int64_t extent : shape) all.add_number(extent);
  std::int64_t at = 0;
  for (std::uint64_t word; at + std::int64_t{sizeof word} <= bytes; at += std::int64_t{sizeof word}) {
    std::memcpy(&word, data + at, sizeof word);
    all.add(word);
  }
  for (; at < bytes; ++at) all.add(static_cast<std::uint64_t>(data[at]));
  files_.push_back(file);
  numbers_.push_back(all.state + static_cast<std::uint64_t>(wrong_on_rank + 1));
}

void compared_files::compare(communicator& ranks, const char* call) const {
  const int at = first_difference(ranks, numbers_, {"the other ranks' numbers", call});
  if (at >= 0)
    throw error(std::string(call) + ": ranks differ in " + files_[static_cast<std::size_t>(at)] +
                "; give all of them the same parameters, and see one folder from all hosts");
}

bool are_equal(const std::byte* a, const std::byte* b, std::int64_t bytes) {
  return bytes == 0 || std::memcmp(a, b, static_cast<std::size_t>(bytes)) == 0;
}

void end_together(communicator& ranks, const std::exception_ptr& mine, const char* call, const std::string& folder) {
  const bool all = all_say(ranks, mine == nullptr, {"the end of", call});
  if (mine) std::rethrow_exception(mine);
  if (!all) throw error(std::string(call) + ": another rank met an error with " + folder + ", and says which");
}

}  // namespace stg::detail
