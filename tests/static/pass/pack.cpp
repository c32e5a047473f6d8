// pack: what the same edges gather from the same end is one record, where that is narrow and can be.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/pack.hpp>

namespace stg {

constexpr ir::program written(auto program) { return pass::dce(pass::cse(trace(program))); }
constexpr ir::program packed(auto program) { return pass::pack_rest(written(program)); }
constexpr bool stays(auto program) { return packed(program) == written(program); }
/// Gathers from sources, concats and slices.
constexpr bool has(auto program, int gathers, int concats, int slices) {
  const ir::program p = packed(program);
  return count_of(p, ir::opcode::gather_src) == gathers && count_of(p, ir::opcode::concat) == concats &&
         count_of(p, ir::opcode::slice) == slices;
}

// A computed value and an input, and a third that another sum reads.
static_assert(has([](auto v) { return sum(v.in_edges().src(stg::exp(v(x))) * v.in_edges().src(y)); }, 1, 1, 2));
static_assert(has(
    [](auto v) {
      auto e = v.in_edges();
      auto a = e.src(stg::exp(v(x)));
      return outputs(sum(a), sum(a * e.src(y) + e.src(stg::sin(v(y)))));
    },
    1, 2, 3));
static_assert(has([](auto v) { return sum(v.in_edges().src(stg::exp(v(x))) * v.in_edges().src(mean(v(y), axis<0>))); },
                  1, 1, 2),
              "a number without axes, too");

// Inputs are gathered where they lie, wide rows are lines of their own, and other ends are other records.
constexpr auto wide = vertex_feature<"wide", 64>;
static_assert(stays([](auto v) { return sum(v.in_edges().src(x) * v.in_edges().src(y)); }));
static_assert(stays([](auto v) {
  return sum(sum(v.in_edges().src(wide), axis<0>)) + sum(v.in_edges().src(stg::exp(v(x))));
}));
static_assert(stays([](auto v) { return sum(v.in_edges().src(stg::exp(v(x))) * v.in_edges().dst(stg::exp(v(y)))); }));

// What is summed from a record cannot be part of it.
static_assert(stays([](auto v) {
  auto e = v.in_edges();
  auto a = stg::exp(v(x));
  return sum(e.src(sum(e.src(a))) * e.src(a));
}));

// Records end with two lines: of five values of 32 bytes four are packed.
constexpr auto eight = vertex_feature<"eight", 8>;
static_assert(has(
    [](auto v) {
      auto e = v.in_edges();
      auto a = v(eight);
      return sum(e.src(stg::exp(a)) * e.src(stg::sin(a)) * e.src(stg::cos(a)) * e.src(stg::tanh(a)) *
                 e.src(stg::log(a)));
    },
    2, 3, 4));

}  // namespace stg
