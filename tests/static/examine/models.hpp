// Programs that tests of what examines them share: attention, a scan, and one with a value of every kind.
#pragma once

#include <stg/dsl/outputs.hpp>
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/value.hpp>

namespace stg::examined {

inline constexpr auto x = vertex_feature<"x", 4>;
inline constexpr auto y = vertex_feature<"y", 4>;
inline constexpr auto z = vertex_feature<"z", extent<"F">>;
inline constexpr auto ew = edge_feature<"ew">;
inline constexpr auto series = over<"T">(vertex_feature<"s", 4>);
inline constexpr auto W = parameter<"W", 4, 4>;
inline constexpr auto U = parameter<"U", extent<"F">, 4>;
inline constexpr auto A = parameter<"A", 4, 1>;
inline constexpr auto label = vertex_feature<"label", i32>;

inline constexpr auto attention = [](auto v) {
  auto h = matmul(v(x), W);
  auto e = v.in_edges();
  auto score = named<"score">(leaky_relu(e.src(matmul(h, A)) + e.dst(matmul(h, A)), 0.2));
  return sum(softmax(score) * e.src(h));
};
inline constexpr auto two_losses = [](auto v) {
  auto h = matmul(v(z), U);
  return outputs(cross_entropy(h, v(label)), sum(v.in_edges().src(v(x)) * v.in_edges()(ew)));
};
inline constexpr auto repeated = [](auto v) {
  auto [last, all] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = tanh(matmul(mean(v.in_edges().src(h)), W) + v(series));
        return next(n).gives(sum(sum(n, axis<0>), all_vertices) * 2.0);
      },
      zeros<4>(v));
  return outputs(last / 2.0, sum(stacked(all), axis<0>));
};
/// Two layers that compute the same in scopes of their own.
inline constexpr auto twice = [](auto v) {
  auto layer = [](auto v) { return exp(v(x)) * v(x); };
  auto first = scope<"first">(v, layer);
  return first + scope<"second">(v, layer);
};

/// Values with gradients of their own, each by a program; the layers compute the same.
inline constexpr auto straight =
    custom_gradient([](auto, auto h) { return round(h); }, [](auto, auto d, auto) { return d; });
inline constexpr auto doubled =
    custom_gradient([](auto, auto h) { return round(h); }, [](auto, auto d, auto) { return d * 2.0; });
inline constexpr auto rounds_straight = [](auto v) { return straight(v, v(x)) - v(y); };
inline constexpr auto rounds_doubled = [](auto v) { return doubled(v, v(x)) - v(y); };
inline constexpr auto rounds_both = [](auto v) { return outputs(doubled(v, v(y)), straight(v, v(x)) - v(y)); };

/// Several kinds of vertices, which the second model meets in another order.
inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto age = author.feature<"age", 4>;
inline constexpr auto year = paper.feature<"year", 4>;
inline constexpr auto written_by = [](auto g) { return mean(g(paper).in_edges(writes).src(age)); };
inline constexpr auto cited_then_written = [](auto g) {
  return outputs(sum(g(paper).in_edges(cites).src(year)), written_by(g));
};

constexpr ir::program canonical(auto model) { return pass::cse(pass::order(trace(model))); }

constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}
constexpr ir::value_id first_of(const ir::program& p, ir::opcode code) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == code) return i;
  return ir::no_value;
}

/// x = a · x + b · x so many times, which has 2^steps ways from the last value to the first.
constexpr ir::program chain(int steps) {
  ir::program p;
  p.inputs = {ir::input{text("x")}, ir::input{text("a")}, ir::input{text("b")}};
  ir::value_id in[3]{};
  for (int k = 0; k < 3; ++k) {
    ir::statement s;
    s.where = k == 0 ? ir::space::vertex : ir::space::graph;
    s.set_entry(k);
    in[k] = p.emit(s);
  }
  ir::value_id at = in[0];
  for (int k = 0; k < steps; ++k) {
    const pass::value one{&p, at}, a{&p, in[1]}, b{&p, in[2]};
    const pass::value left = a * one, right = b * one;
    at = (left + right).id;
  }
  p.outputs.push_back(ir::output{at, {}});
  return p;
}

}  // namespace stg::examined
