// The memory of an explanation: what is stored, from when to when, and how much of it at once.
#pragma once

#include <cstdint>  // int64_t
#include <map>      // map
#include <string>   // string
#include <vector>   // vector

#include "report_units.hpp"  // program_with_plan

namespace stg::detail::explained {

/// A value that takes memory: which, how much, and from which unit to which.
struct stored_value {
  std::string text;
  formula bytes;
  int first, last;
  std::string edge_reason;  // why it has |E| rows, empty where it has not
  bool is_callers = false;  // lies in a tensor of the caller
  bool is_over = false;     // takes the memory of one that is read for the last time
};

std::vector<stored_value> stored_values(const program_with_plan& h, const std::vector<buffer>& buffers,
                                        const std::string& prefix, const sequence<value_id>& in_callers_tensors);

/// All that lies in the block of memory of a call.
struct block_use {
  std::vector<stored_value> values;
  int units;
  block_bytes bytes;
  std::int64_t kept_bytes = 0;  // what a prologue left, behind it
  bool orders_edges = false;    // program_with_plan::orders_edges of any of the programs
};

/// What lives in units where no other unit's values take more for every size. One of these is the peak.
std::map<int, formula> most_alive(const block_use& block);

/// `callers`: what is said of values that take no memory of the block.
std::string memory_text(const block_use& block, int threads, const sizes* given,
                        const std::string& callers = "in the caller's tensor");
/// `12 bytes = 8 for values, in one block by lifetime, + 4 of workspace for 2 threads`, for the sizes that were given.
std::string peak_text(const block_use& block, int threads, bool whole);

}  // namespace stg::detail::explained
