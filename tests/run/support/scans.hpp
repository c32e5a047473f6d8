// Programs with scans: over time and over layers, of vertices, edges and the graph, within one another, and random.
#pragma once

#include "own_operations.hpp"  // softcap, softsign

#include <stg/stg.hpp>  // scan

namespace stg::scans {

inline constexpr auto x = trainable(over<"T">(vertex_feature<"x", f64, 3>));
inline constexpr auto w = trainable(over<"T">(edge_feature<"w", f64>));
inline constexpr auto target = over<"T">(vertex_feature<"target", f64>);
inline constexpr auto label = over<"T">(vertex_feature<"label", i32>);
inline constexpr auto rate = trainable(over<"T">(graph_feature<"rate", f64>));
inline constexpr auto h0 = trainable(vertex_feature<"h0", f64, 2>);
inline constexpr auto still = trainable(vertex_feature<"still", f64, 2>);
inline constexpr auto e0 = trainable(edge_feature<"e0", f64>);
inline constexpr auto W = parameter<"W", f64, 3, 2>;
inline constexpr auto U = parameter<"U", f64, 2, 2>;
inline constexpr auto R = parameter<"R", f64, 2, 1>;
inline constexpr auto C = parameter<"C", f64, 2, 4>;
inline constexpr auto layer = over<"L">(parameter<"layer", f64, 2, 2>);
inline constexpr auto bias = over<"L">(parameter<"bias", f64, 2>);
inline constexpr auto four = over<4>(trainable(vertex_feature<"four", f64>));

/// A recurrent cell over a graph, and a loss at each step.
inline constexpr auto recurrent = [](auto v) {
  auto [h, losses] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto n = tanh(matmul(v(x), W) + matmul(mean(e(w) * e.src(h)), U));
        return next(n).gives(mean(square(sum(matmul(n, R), axis<0>) - v(target)), all_vertices));
      },
      v(h0));
  return outputs(h, mean(stacked(losses), axis<0>));
};

/// Two carried values, of which one changes places with what it was; what is captured and what is given.
inline constexpr auto second_order = [](auto v) {
  auto speed = sigmoid(v(still));
  auto [a, b, all] = scan<"T">(
      v,
      [&](auto v, auto a, auto b) {
        auto n = 2.0 * a - b + speed * tanh(sum(v.in_edges().src(a)) - a) * v(rate);
        return next(n, a).gives(n * speed);
      },
      v(h0), v(still));
  return outputs(a, b, all, mean(all, all_steps), sum(all, all_steps) * v(h0));
};

/// Edge values and a value of the graph are carried, and given for each step.
inline constexpr auto edges_and_graph = [](auto v) {
  auto in = v.in_edges();
  auto [e, g, pooled, messages] = scan<"T">(
      v,
      [&](auto v, auto e, auto g) {
        auto at = v.in_edges();
        auto m = tanh(at(w) + at(e) * g);
        auto pool = mean(sum(m) * v(target), all_vertices);
        return next(m, g * 0.5 + pool).gives(pool, m * g);
      },
      in(e0), full<f64>(1.0));
  return outputs(e, g, stacked(pooled), messages);
};

/// A sum and a product that are the same at every step, and trained; a value of edges that is read when all steps are
/// done.
inline constexpr auto unchanging = [](auto v) {
  auto in = v.in_edges();
  auto [h, e] = scan<"T">(
      v,
      [](auto v, auto h, auto e) {
        auto at = v.in_edges();
        auto near = matmul(mean(at(e0) * at.src(still)), U);
        return next(tanh(h * v(rate) + near), 0.5 * e + at.src(sum(h, axis<0>)));
      },
      v(h0), in(e0));
  return outputs(sum(e * in.src(h)), sum(in.dst(sum(h, axis<0>)) - e));
};

/// Layers of a deep network, each with its parameters; no time.
inline constexpr auto deep = [](auto v) {
  return scan<"L">(
      v, [](auto v, auto h) { return h + relu(matmul(mean(v.in_edges().src(h)), layer) + bias); }, v(h0));
};

/// A scan within a scan: some layers at each step of time, whose parameters are the same at every step.
inline constexpr auto nested = [](auto v) {
  auto cell = [](auto v, auto h) {
    auto seen = h + matmul(v(x), W);
    auto n = scan<"L">(
        v, [=](auto v, auto g) { return tanh(matmul(sum(v.in_edges().src(g)), layer) + seen * v(bias)); }, seen);
    return next(n).gives(sum(n, axis<0>));
  };
  auto [h, y] = scan<"T">(v, cell, v(h0));
  return outputs(h, y);
};

/// Nothing is carried: the same for each step. One scan reads what another gave.
inline constexpr auto in_a_row = [](auto v) {
  auto features = scan<"T">(v, [](auto v) { return matmul(v(x), W); });
  auto [h, all] = scan<"T">(
      v,
      [=](auto v, auto h) {
        auto n = tanh(v(features) + mean(v.in_edges().src(features)) + h);
        return next(n).gives(n);
      },
      v(h0));
  auto scores = scan<"T">(v, [all = all](auto v) { return mean(sum(square(v(all)), axis<0>), all_vertices); });
  return outputs(sum(stacked(scores), axis<0>), h);
};

/// Dropout draws anew at each step; outside of the scan once for all of them.
inline constexpr auto dropped = [](auto v) {
  auto once = dropout(ones<f64, 2>(v), 0.5);
  auto [h, all] = scan<"T">(
      v,
      [=](auto v, auto h) {
        auto n = tanh(dropout(h, 0.3) * once + dropout(matmul(v(x), W), 0.5));
        return next(n).gives(training(n, n * 2.0));
      },
      v(h0));
  return outputs(h, sum(all, all_steps));
};

/// A class for each vertex and step; attention in the step; an integer number of steps.
inline constexpr auto classified = [](auto v) {
  return mean(stacked(scan<"T">(v, [](auto v) { return cross_entropy(matmul(matmul(v(x), W), C), v(label)); })),
              axis<0>);
};
inline constexpr auto attentive = [](auto v) {
  auto [h, largest] = scan<4>(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto score = leaky_relu(sum(e.src(h), axis<0>) + e.dst(four), 0.2);
        return next(sum(softmax(score) * e.src(h)) + h).gives(max(e.src(h)));
      },
      v(h0));
  return outputs(h, largest);
};

/// A sparse feature, which is the same at every step, dropped out anew at each.
inline constexpr auto sx = sparse_feature<"sx", f64, 3>;
inline constexpr auto sparse = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return tanh(matmul(dropout(v(sx), 0.5), W) + h * v(rate)); }, v(h0));
};

/// A derivative of a scan as a value, which training differentiates once more.
inline constexpr auto penalised = [](auto v) {
  auto h = scan<"T">(
      v, [](auto v, auto h) { return tanh(matmul(h, U) * v(rate)); }, v(h0));
  auto energy = sum(sum(square(h), axis<0>), all_vertices);
  return energy + sum(sum(square(gradient(energy, U)), axis<0>), axis<0>);
};

/// A step down the slope of a layer that is called, at each step.
inline constexpr auto bent = [](auto, auto h, auto by) { return tanh(matmul(h, by)); };
inline constexpr auto descending = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto energy = sum(sum(square(call(bent, v, h, U)), axis<0>) * v(target), all_vertices);
        return h - 0.2 * gradient(energy, h) * v(rate);
      },
      v(h0));
};

/// The slope of a slope: of what each step has, whose inputs a gradient reads in another order than the step does.
inline constexpr auto curved = [](auto v) {
  auto h = scan<"T">(
      v, [](auto v, auto h) { return tanh(matmul(v(x), W) * v(rate) + v(still) * h); }, v(h0));
  auto energy = sum(sum(square(h), axis<0>), all_vertices);
  auto slope = sum(sum(square(gradient(energy, v(still))), axis<0>), all_vertices);
  return energy + sum(sum(square(gradient(slope, W)), axis<0>), axis<0>);
};

/// Calls f<lambda>(name) for every one of them.
/// Operations of a user's own, of edges and of the carried value, with their gradients.
inline constexpr auto capped = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto scores = stg::apply<test::softcap>(e.src(h) * e(w), 2);
        return stg::apply<test::softsign>(matmul(v(x), W) + sum(scores));
      },
      v(h0));
};

template <class F> void for_each_scan(const F& f) {
#define STG_SCAN(word) f.template operator()<word>(#word);
  STG_SCAN(recurrent)
  STG_SCAN(second_order)
  STG_SCAN(edges_and_graph)
  STG_SCAN(unchanging)
  STG_SCAN(deep)
  STG_SCAN(nested)
  STG_SCAN(in_a_row)
  STG_SCAN(dropped)
  STG_SCAN(classified)
  STG_SCAN(attentive)
  STG_SCAN(sparse)
  STG_SCAN(penalised)
  STG_SCAN(descending)
  STG_SCAN(curved)
  STG_SCAN(capped)
#undef STG_SCAN
}

}  // namespace stg::scans
