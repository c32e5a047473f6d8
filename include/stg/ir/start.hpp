// What a parameter begins with, before it is trained: part of its declaration, kept beside the program's inputs.
#pragma once

#include <stg/base/standard.hpp>  // C++20

namespace stg::ir {

/// A rule, with the numbers that it takes: by_shape is that of what nobody has said otherwise of.
struct start {
  enum class rule : int { by_shape, constant, uniform, normal, glorot_uniform, glorot_normal, kaiming_uniform };

  rule how = rule::by_shape;
  double first = 0, second = 0;  // the constant; low and high; mean and standard deviation; the slope

  constexpr bool is_said() const { return how != rule::by_shape; }
  constexpr bool operator==(const start&) const = default;
};

/// What a parameter's tensor begins with: the rule, and how many of its axes are the parameter's, apart from one of
/// steps; -1: all of them.
struct beginning {
  start rule{};
  int axes = -1;
};

}  // namespace stg::ir
