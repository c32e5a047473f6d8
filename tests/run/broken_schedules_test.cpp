// test: draft programs_at_run_time
// What a schedule may break: each statement of a model changed in each way that is a mistake. verify_programs sees all.
#include <stg/call/runnable.hpp>   // runnable
#include <stg/examine.hpp>         // as_program
#include <stg/ir/rewriting.hpp>    // rewritten
#include <stg/pass/dce.hpp>        // dce
#include <stg/schedule/check.hpp>  // verify_programs
#include <stg/stg.hpp>             // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>   // uint64_t
#include <iostream>  // cout
#include <utility>   // swap

#include "expect_error.hpp"  // expect_error

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 6>;
constexpr auto goal = vertex_feature<"goal", 6>;
constexpr auto train = vertex_feature<"train", boolean>;
constexpr auto ew = edge_feature<"ew">;
constexpr auto W1 = parameter<"W1", 6, 6>;
constexpr auto W2 = parameter<"W2", 6, 6>;
constexpr auto a = parameter<"a", 6, 1>;
constexpr auto b = parameter<"b", 6>;

constexpr auto layer = [](auto v, auto h, auto W) {
  auto e = v.in_edges();
  auto z = named<"z">(matmul(h, W) + b);
  auto s = named<"score">(leaky_relu(e.src(matmul(z, a)) - e.dst(matmul(z, a)) * 0.5, 0.2));
  return named<"out">(sum(softmax(s) * e.src(z) / (e(ew) + 2.0)));
};
constexpr auto loss = [](auto v) {
  auto h = dropout(tanh(scope<"layer1">(v, layer, dropout(v(x), 0.25), W1)), 0.25);
  auto y = scope<"layer2">(v, layer, h, W2) - mean(v.in_edges().src(h));
  return mse(y, v(goal), v(train)) + 0.01 * sum(W1 * W1, axis<0>)[0];
};

/// A mistake in a statement; false where it is none.
struct breakage {
  const char* word;
  bool (*breaks)(ir::program&, ir::statement&);
};
bool becomes(ir::statement& s, ir::opcode from, ir::opcode to) {
  if (s.code != from || s.operands[0] == s.operands[1]) return false;
  s.code = to;
  return true;
}
using op = ir::opcode;
/// Whether a value times itself is all that is read of a value.
bool is_squared(const ir::program& p, const ir::statement& value) {
  bool is = true;
  for (const ir::statement& s : p.statements)
    for (int k = 0; k < s.arity(); ++k)
      if (p.operand(s, k).computes_same(value)) is = is && s.code == op::mul && s.operands[0] == s.operands[1];
  return is;
}
const breakage breakages[] = {
    {"operands swapped",
     [](ir::program& p, ir::statement& s) {
       const int first = s.code == op::select ? 1 : 0;
       if ((s.code != op::sub || is_squared(p, s)) && s.code != op::div && s.code != op::select) return false;
       std::swap(s.operands[first], s.operands[first + 1]);
       return true;
     }},
    {"the other end of edges",
     [](ir::program&, ir::statement& s) { return becomes(s, op::gather_src, op::gather_dst); }},
    {"the other end", [](ir::program&, ir::statement& s) { return becomes(s, op::gather_dst, op::gather_src); }},
    {"edges out",
     [](ir::program&, ir::statement& s) {
       if (s.code != op::sum_edges && s.code != op::degree) return false;
       s.set_side(ir::direction::out);
       return true;
     }},
    {"the largest for the sum",
     [](ir::program&, ir::statement& s) { return becomes(s, op::sum_edges, op::max_edges); }},
    {"a difference", [](ir::program&, ir::statement& s) { return becomes(s, op::add, op::sub); }},
    {"a sum", [](ir::program&, ir::statement& s) { return becomes(s, op::sub, op::add); }},
    {"a sum of factors", [](ir::program&, ir::statement& s) { return becomes(s, op::mul, op::add); }},
    {"a product", [](ir::program&, ir::statement& s) { return becomes(s, op::div, op::mul); }},
    {"another function", [](ir::program&, ir::statement& s) { return becomes(s, op::tanh, op::sin); }},
    {"another number",
     [](ir::program&, ir::statement& s) {
       if (s.code != op::constant && s.code != op::leaky_relu && s.code != op::keep_mask) return false;
       s.set_value(s.value() == 0 ? 1 : 1.5 * s.value());
       return true;
     }},
    {"another draw",
     [](ir::program&, ir::statement& s) {
       if (s.code != op::keep_mask) return false;
       s.set_site(1 - s.site());  // that of the other layer
       return true;
     }},
    {"a matrix turned",
     [](ir::program& p, ir::statement& s) {
       if (s.code != op::matmul || !(s.dims.axes[0] == p.operand(s, 0).dims.axes[0])) return false;
       s.set_transposed(true);
       return true;
     }},
    {"another input",
     [](ir::program& p, ir::statement& s) {
       for (ir::value_id i = 0; i < p.size(); ++i)  // the next one of its kind
         if (s.code == op::input && p[i].code == op::input && p[i].entry() > s.entry() && p[i].where == s.where &&
             p[i].dims == s.dims && p[i].type == s.type) {
           s.set_entry(p[i].entry());
           return true;
         }
       return false;
     }},
};
/// Statements whose gradient is lost.
bool has_gradient(op code) {
  for (const op one : {op::matmul, op::tanh, op::leaky_relu, op::softmax_edges, op::sum_edges, op::div})
    if (code == one) return true;
  return false;
}

struct data {
  graph g = graph::from_edges(7, {0, 1, 2, 3, 4, 5, 0, 2, 6, 3}, {1, 2, 3, 4, 5, 6, 2, 0, 0, 1});
  tensor<float> X{{7, 6}}, Y{{7, 6}}, E{{10}}, w1{{6, 6}}, w2{{6, 6}}, A{{6, 1}}, B{{6}};
  tensor<bool> mask{{7}};
  data() {
    std::uint64_t seed = 1;
    for (tensor<float>* t : {&X, &Y, &E, &w1, &w2, &A, &B}) uniform(*t, -1, 1, seed++);
    for (int i = 0; i < 7; ++i) mask.data()[i] = i % 3 != 1;
  }
  schedule_check operator()(const ir::program& p, const ir::program& q) const {
    return verify_programs(
        1e-4, p, q, g, {{"x", X}, {"goal", Y}, {"ew", E}, {"train", mask}, {"W1", w1}, {"W2", w2}, {"a", A}, {"b", B}});
  }
};

TEST(broken_schedules, are_all_seen) {
  const data d;
  const ir::program p = pass::dce(as_program<loss>());
  EXPECT_TRUE(d(p, p).same_bits);
  int broken = 0;
  const auto is_seen = [&](const ir::program& q, ir::value_id i, const char* word) {
    ++broken;
    EXPECT_THROW(d(p, q), error) << word << ", value " << i << '\n' << ir::to_text(q);
  };
  for (ir::value_id i = 0; i < p.size(); ++i) {
    for (const breakage& one : breakages) {
      ir::program q = p;
      ir::statement s = q[i];
      if (!one.breaks(q, s)) continue;
      q.statements[i] = s;
      is_seen(q, i, one.word);
    }
    if (has_gradient(p[i].code))
      is_seen(ir::rewritten(p,
                            [i](ir::rewriting& r, ir::value_id k) {
                              const ir::value_id at = r.copy(k);
                              if (k != i) return at;
                              ir::statement s;
                              s.code = op::detach;
                              s.operands[0] = at;
                              s.where = r.q[at].where;
                              s.type = r.q[at].type;
                              s.dims = r.q[at].dims;
                              return r.q.emit(s);
                            }),
              i, "no gradient");
  }
  EXPECT_GE(broken, 30);
  std::cout << broken << " breakages\n";
}

TEST(broken_schedules, are_named_by_the_first_value) {
  const data d;
  const ir::program p = pass::dce(as_program<loss>());
  ir::program q = p;
  for (ir::statement& s : q.statements)
    if (s.code == op::leaky_relu) {
      s.set_value(0.5);
      break;
    }
  test::expect_error([&] { d(p, q); },
                     {"verify_schedule: ", "the first named value that is off is layer1/score, with "});
  q = p;
  q.outputs[0].at = 1;
  test::expect_error([&] { d(p, q); }, {"the scheduled program has other outputs than the plain one"});
  q = p;
  q.inputs[0].name = text("y");
  test::expect_error([&] { d(p, q); }, {"the scheduled program has other inputs than the plain one"});
}

}  // namespace
}  // namespace stg
