// The messages of a program: each stands behind the one before it.
#pragma once

#include <stg/ir/fields.hpp>   // is_message
#include <stg/ir/program.hpp>  // program

namespace stg::ir {

/// The last message, which the next one has as its last operand, or no_value.
constexpr value_id last_message(const program& p) {
  value_id i = p.size() - 1;
  while (i >= 0 && !is_message(p[i].code)) --i;
  return i;
}

}  // namespace stg::ir
