// inline_promised: values that are promised to be inlined are written once more where they are read.
#include "symbols.hpp"
#include "symbols_of_kinds.hpp"

#include <stg/dsl/kinds.hpp>
#include <stg/op/scan.hpp>
#include <stg/pass/inline_promised.hpp>
#include <stg/pass/order.hpp>
#include <stg/analysis/verify.hpp>

namespace stg {
namespace {

constexpr ir::program written(auto lambda) { return pass::order(trace(lambda)); }
constexpr ir::program inlined_in(auto lambda) { return pass::inline_promised(written(lambda)); }
constexpr ir::program without_tags(ir::program p) {
  p.tags.clear();
  return p;
}
/// Each copy has one reader, so that statements that are alike are none.
constexpr bool becomes(auto before, auto after) {
  const ir::program q = inlined_in(before);
  return pass::verify(q) == pass::finding() && without_tags(pass::reorder(q)) == without_tags(written(after));
}
constexpr bool stays(auto lambda) { return inlined_in(lambda) == written(lambda); }
constexpr ir::value_id last_of(const ir::program& p, ir::opcode code) {
  ir::value_id i = p.size() - 1;
  while (i >= 0 && p[i].code != code) --i;
  return i;
}
constexpr auto E = vertex_feature<"e", 4>;
constexpr auto f64_feature = vertex_feature<"d", f64, 3>;
constexpr auto b = parameter<"b", 4>;
constexpr auto in_src(auto v, auto h) { return v.in_edges().src(h); }
constexpr auto out_dst(auto v, auto h) { return v.out_edges().dst(h); }

// ---- edges compute it, of what lies in memory ----

static_assert(becomes([](auto v) { return sum(in_src(v, inlined(exp(v(x))))); },
                      [](auto v) { return sum(exp(in_src(v, v(x)))); }));
static_assert(becomes([](auto v) { return sum(out_dst(v, inlined(exp(v(x))))); },
                      [](auto v) { return sum(exp(out_dst(v, v(x)))); }));
static_assert(becomes(
    [](auto v) {
      auto h = inlined(exp(v(x)));
      return sum(in_src(v, h)) + sum(out_dst(v, h));
    },
    [](auto v) { return sum(exp(in_src(v, v(x)))) + sum(exp(out_dst(v, v(x)))); }));
// Of its own type, and of each of its operands; what the graph has one of needs no gather.
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(exp(v(f64_feature))))); },
                      [](auto v) { return sum(exp(in_src(v, v(f64_feature)))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(v(x) * v(y)))); },
                      [](auto v) { return sum(in_src(v, v(x)) * in_src(v, v(y))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(slice<1, 3>(v(x))))); },
                      [](auto v) { return sum(slice<1, 3>(in_src(v, v(x)))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(v(x) - v(b)))); },
                      [](auto v) { return sum(in_src(v, v(x)) - v(b)); }));
// Of another shape in registers, while edges compute what is made of it.
constexpr bool holds_of_views() {
  const ir::program q = inlined_in([](auto v) {
    auto a = inlined(exp(v(x)));
    auto wide = inlined(concat<axis<0>>(a, v(y)));
    return outputs(reshape<2, 2>(a) * 2.0, sum(in_src(v, wide)));
  });
  return pass::verify(q) == pass::finding();
}
static_assert(holds_of_views());
// Along with its shape, and with what it is made of where that is promised, too. What is not lies in memory.
static_assert(becomes([](auto v) { return sum(in_src(v, reshape<2, 2>(inlined(exp(v(x)))))); },
                      [](auto v) { return sum(reshape<2, 2>(exp(in_src(v, v(x))))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(exp(reshape<2, 2>(inlined(tanh(v(x)))))))); },
                      [](auto v) { return sum(exp(reshape<2, 2>(tanh(in_src(v, v(x)))))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(exp(inlined(tanh(v(x))) * v(y))))); },
                      [](auto v) { return sum(exp(in_src(v, tanh(v(x)) * v(y)))); }));
static_assert(becomes([](auto v) { return sum(in_src(v, inlined(exp(tanh(v(x)))))); },
                      [](auto v) { return sum(exp(in_src(v, tanh(v(x))))); }));
// Along a relation it is computed for that relation's edges.
static_assert(becomes([](auto g) { return sum(g(paper).in_edges(writes).src(inlined(exp(g(author)(known))))); },
                      [](auto g) { return sum(exp(g(paper).in_edges(writes).src(known))); }));
static_assert(becomes([](auto g) { return sum(g(author).out_edges(writes).dst(inlined(exp(g(paper)(words))))); },
                      [](auto g) { return sum(exp(g(author).out_edges(writes).dst(words))); }));
static_assert(becomes(
    [](auto g) {
      auto h = inlined(exp(g(paper)(words)));
      return stg::outputs(sum(g(author).out_edges(writes).dst(h)), sum(g(paper).in_edges(cites).src(h)),
                          sum(g(paper).out_edges(cites).dst(h)));
    },
    [](auto g) {
      return stg::outputs(sum(exp(g(author).out_edges(writes).dst(words))),
                          sum(exp(g(paper).in_edges(cites).src(words))),
                          sum(exp(g(paper).out_edges(cites).dst(words))));
    }));

// A gather that this makes stands in the scope of what it gathers.
constexpr auto scoped = [](auto v) {
  auto h = scope<"below">(v, [](auto u) { return tanh(u(x)); });
  return sum(in_src(v, inlined(exp(h))));
};
constexpr bool is_in_scope() {
  const ir::program q = inlined_in(scoped);
  const ir::statement& gather = q[last_of(q, ir::opcode::gather_src)];
  return gather.scopes == q[gather.operands[0]].scopes && gather.scopes != 0 && gather.over == ir::extent(0);
}
static_assert(is_in_scope());

// ---- units compute it, each for itself ----

constexpr auto in_two_sweeps = [](auto v) {
  auto below = named<"below">(tag<"mine">(inlined(tanh(v(x)))));
  auto h = tag<"mine">(inlined(exp(below)));
  auto both = [&](auto sum_of) { return sum_of * h + sum_of * reshape<4>(reshape<2, 2>(h)); };
  return both(sum(in_src(v, both(sum(in_src(v, v(y)))))));
};
constexpr bool is_copied_for_each() {
  const ir::program p = written(in_two_sweeps), q = pass::inline_promised(p);
  if (!(pass::verify(q) == pass::finding()) || count_of(p, ir::opcode::exp) != 1) return false;
  for (const ir::opcode code : {ir::opcode::exp, ir::opcode::tanh})
    if (count_of(q, code) != 2) return false;
  ir::value_id tagged[4] = {-1, -1, -1, -1};
  int tags = 0, names = 0;
  for (const ir::tag& t : q.tags)
    if (t.name.view() == "mine") tagged[tags++ % 4] = t.at;
  for (const ir::label& n : q.names)
    if (n.name.view() == "below") names += q[n.at].code == ir::opcode::tanh && n.at < last_of(q, ir::opcode::tanh);
  for (int k = 0; k < 4; ++k)
    for (int l = 0; l < k; ++l)
      if (tagged[k] == tagged[l]) return false;
  // a program in which like statements are one again is what was written
  return tags == 4 && names == 1 && without_tags(pass::reorder(q)) == without_tags(p);
}
static_assert(is_copied_for_each());
// Whichever of them is written first.
constexpr auto later_unit_first = [](auto v) {
  auto h = inlined(exp(v(x)));
  auto first = sum(in_src(v, v(y)));
  return stg::outputs(sum(in_src(v, first)) * h, sum(in_src(v, v(E))) * h);
};
static_assert(count_of(inlined_in(later_unit_first), ir::opcode::exp) == 2);
// In one unit one copy does, however many values of it read it.
constexpr auto read_twice = [](auto v) {
  auto h = inlined(exp(v(x)));
  auto a = inlined(h * v(y)), c = inlined(h + v(y));
  auto once = [&](auto sum_of) { return sum_of * a + sum_of / c; };
  return once(sum(in_src(v, once(sum(in_src(v, v(E)))))));
};
static_assert(count_of(inlined_in(read_twice), ir::opcode::exp) == 2);

// ---- it stays as it is ----

// where it is in registers anyway
static_assert(stays([](auto v) { return inlined(exp(v(x))) * 2.0 + tanh(v(x)); }));
static_assert(stays([](auto v) { return sum(v.in_edges()(w) * v.in_edges().dst(inlined(exp(v(x))))); }));
// where it is given back, multiplied, summed up or passed to a step, in whatever shape, and neighbours read it, too
constexpr auto beside_neighbours(auto use) {
  return [use](auto v) {
    auto h = inlined(exp(v(x)));
    return stg::outputs(sum(in_src(v, h)), use(v, h));
  };
}
static_assert(stays(beside_neighbours([](auto, auto h) { return h; })));
static_assert(stays(beside_neighbours([](auto, auto h) { return reshape<2, 2>(h); })));
static_assert(stays(beside_neighbours([](auto, auto h) { return matmul(h, W); })));
static_assert(stays(beside_neighbours([](auto, auto h) { return matmul(reshape<1, 4>(h), W); })));
static_assert(stays(beside_neighbours([](auto, auto h) { return sum(h, all_vertices); })));
static_assert(stays(beside_neighbours([](auto v, auto h) {
  return scan<3>(
      v, [](auto, auto s) { return 0.5 * s; }, h);
})));
static_assert(becomes(beside_neighbours([](auto, auto h) { return h * 2.0; }),
                      [](auto v) { return stg::outputs(sum(exp(in_src(v, v(x)))), exp(v(x)) * 2.0); }));
// and what is no chain of vertices: of the graph, of edges, a sum
static_assert(stays([](auto v) {
  auto h = inlined(exp(v(b)));
  return sum(in_src(v, sum(in_src(v, v(y))) * h)) * h;
}));
static_assert(stays([](auto v) { return sum(inlined(exp(in_src(v, v(x))))); }));
static_assert(stays([](auto v) { return sum(in_src(v, inlined(sum(in_src(v, v(x)))))); }));

}  // namespace
}  // namespace stg
