// The start of a parameter before it is trained: part of its declaration, kept beside the program's inputs.
#pragma once

#include <stg/base/standard.hpp>  // C++20

namespace stg::ir {

/// A rule with its numbers: by_shape is the default.
struct start {
  enum class rule : int { by_shape, constant, uniform, normal, glorot_uniform, glorot_normal, kaiming_uniform };

  rule how = rule::by_shape;
  double first = 0, second = 0;  // the constant; low and high; mean and standard deviation; the slope

  constexpr bool is_said() const { return how != rule::by_shape; }
  /// Whether no number can be drawn: uniform from high to low, or normal with a deviation below 0.
  constexpr bool has_no_range() const {
    return (how == rule::uniform && first > second) || (how == rule::normal && second < 0);
  }
  constexpr bool operator==(const start&) const = default;
};

/// The start of a parameter's tensor: the rule, and the number of axes that are the parameter's, apart from one of
/// steps; -1: all of them. is_due: it is to have other numbers than 0, and nobody has written any yet. has_vertex_rows:
/// its first axis counts the vertices of the graph.
struct beginning {
  start rule{};
  int axes = -1;
  bool is_due = false;
  bool has_vertex_rows = false;
};
/// Whether a rule gives zeros to a parameter of so many axes.
constexpr bool begins_with_zeros(const start& rule, int axes) {
  if (!rule.is_said()) return axes < 2;
  return rule.how == start::rule::constant && rule.first == 0;
}

}  // namespace stg::ir
