// Symbols that the tests of passes share, and looking up an input by name.
#pragma once

#include <stg/dsl/outputs.hpp>
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>

#include <string_view>

namespace stg {

inline constexpr auto x = trainable(vertex_feature<"x", 4>);
inline constexpr auto y = trainable(vertex_feature<"y", 4>);
inline constexpr auto w = trainable(edge_feature<"w">);
inline constexpr auto W = parameter<"W", 4, 2>;
inline constexpr auto label = vertex_feature<"label", i32>;
inline constexpr auto mask = vertex_feature<"mask", boolean>;

constexpr ir::value_id input_named(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}
constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}

}  // namespace stg
