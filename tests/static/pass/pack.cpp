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

// What a number of the graph is made of is not read along these edges.
static_assert(stays([](auto v) {
  auto e = v.in_edges();
  auto total = sum(sum(e.src(stg::sin(v(y)))), all_vertices);
  return sum(e.src(stg::exp(v(x))) * total);
}));

// The same values of both ends are two records.
constexpr auto both_ends = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  auto a = stg::exp(v(x)), b = stg::sin(v(x));
  return outputs(sum(in.src(a) * in.src(b)), sum(out.dst(a) * out.dst(b)));
};
static_assert(has(both_ends, 1, 1, 4) && count_of(packed(both_ends), ir::opcode::gather_dst) == 1);

// One run makes all records that do not lie across each other, whatever those before have made wait.
constexpr int records(auto program) { return count_of(pass::pack(written(program)), ir::opcode::concat); }
static_assert(records([](auto v) {
                auto e = v.in_edges();
                auto first = sum(e.src(stg::exp(v(x))) * e.src(stg::sin(v(x))));
                return sum(e.src(stg::cos(first)) * e.src(stg::tanh(first)));
              }) == 2);
static_assert(records([](auto v) {
                auto e = v.in_edges();
                auto waiting = e.src(stg::exp(v(x)));
                auto first = sum(waiting * e.src(stg::sin(v(x))));
                auto early = e.src(stg::cos(v(y)));
                return outputs(first, sum(early * e.src(stg::tanh(sum(waiting)))));
              }) == 2);
// A value is part of one record.
static_assert(records([](auto v) {
                auto e = v.in_edges();
                auto a = stg::exp(v(x)), b = stg::sin(v(x)), c = stg::cos(v(y));
                return outputs(sum(e.src(a) * e.src(b)), sum(e.src(a) * e.src(c)));
              }) == 1);

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
