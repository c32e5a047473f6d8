// The memory of an explanation: what is stored, from when to when, and how much of it at once.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

#include "report_units.hpp"  // half

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

std::vector<stored_value> stored_values(const half& h, const std::vector<buffer>& buffers, const std::string& prefix,
                                        const std::vector<value_id>& in_callers_tensors);

/// `callers`: what is said of values that take no memory of the block; `kept_bytes`: what a prologue left, behind it;
/// `orders_edges`: half::orders_edges of any of the programs.
std::string memory_text(const std::vector<stored_value>& values, int units, const block_bytes& block, int threads,
                        const sizes* given, const std::string& callers = "in the caller's tensor",
                        std::int64_t kept_bytes = 0, bool orders_edges = false);

}  // namespace stg::detail::explained
