// test: draft calls, proof kernels 0
// Scans whose steps have a graph each: the same step by step by hand, there and back, from both stores; what outlives
// what, and what is bound wrongly.
#include "support/changing_graphs.hpp"  // cell, random_steps

#include "expect_error.hpp"  // expect_error

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // copy_n
#include <cmath>      // tanh
#include <string>     // to_string
#include <tuple>      // tuple
#include <vector>     // vector

namespace stg::changing {
namespace {

constexpr auto xs = vertex_feature<"xs", f64, 3>;  // of one step
constexpr auto fs = trainable(edge_feature<"fs", f64, 2>);
constexpr auto ws = edge_feature<"ws">;
constexpr auto repeated = [](auto v) {
  auto [last, all] = scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto n = cell(v, v(x), e(w), e(f), state);
        return next(n).gives(n);
      },
      v(h));
  return outputs(last, all);
};
constexpr auto once = [](auto v) {
  auto e = v.in_edges();
  return cell(v, v(xs), e(ws), e(fs), v(h));
};
/// Rows [first, first + count) of the first axis; one row without the axis where count is -1.
tensor<double> rows(const tensor<double>& all, std::int64_t first, std::int64_t count = -1) {
  const tensor<double> part = count < 0 ? all.row(first).clone() : all.rows(first, first + count).clone();
  return part.clone();
}
void expect_near(const tensor<double>& a, const tensor<double>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12) << what << ' ' << i;
}
/// All of a recorded call that is compared.
struct gradients_of {
  tensor<double> last, all, d_h, d_W, d_U, d_f, d_P;
};
template <class Trainer> gradients_of recorded(Trainer& training, graph_sequence& graphs, const inputs& i) {
  auto tape = training.record(graphs, x = i.in, f = graphs.edge_steps(i.feature), w = graphs.weights(), h = i.start,
                              W = i.weights, U = i.layers, P = i.products);
  graphs.steps() > 0 ? (void)graphs.at(0) : (void)0;  // wherever it was left
  auto outputs = tape.outputs();
  const auto d = tape.backward(i.d_last, i.d_all);
  return {outputs.template get<0>().clone(),
          outputs.template get<1>().clone(),
          d[h].clone(),
          d[W].clone(),
          d[U].clone(),
          d[f].values().clone(),
          d[P].clone()};
}
/// The same, one call for each step, of graphs that are made by themselves.
template <class Trainer>
gradients_of by_hand(Trainer& step, std::int64_t V, const std::vector<snapshot_edges>& edges, const inputs& i) {
  const auto T = static_cast<std::int64_t>(edges.size());
  using tape = typename Trainer::tape;
  gradients_of r{i.start.clone(),        tensor<double>({T, V, 4}), {},
                 tensor<double>({3, 4}), tensor<double>({2, 4, 4}), tensor<double>(i.feature.shape()),
                 tensor<double>({2, 3})};
  std::vector<tape> tapes;
  std::vector<std::int64_t> begin;
  std::int64_t first = 0;
  for (std::int64_t t = 0; t < T; ++t) {
    auto alone = sequence_of(V, {edges[static_cast<std::size_t>(t)]}, snapshot_store::resident);
    const graph g = alone.at(0);
    const auto weighed = alone.has_weights() ? alone.weights_at(0).clone() : g.edge_values(tensor<float>({0}));
    tapes.push_back(step.record(g, xs = rows(i.in, t), ws = weighed.clone(),
                                fs = g.edge_values(rows(i.feature, first, g.edges())), h = r.last.clone(),
                                W = i.weights, U = i.layers, P = i.products));
    r.last = tapes.back().output().clone();
    r.all.row(t).assign(r.last);
    begin.push_back(first);
    first += g.edges();
  }
  r.d_h = i.d_last.clone();
  for (std::int64_t t = T - 1; t >= 0; --t) {
    const auto given = rows(i.d_all, t);
    for (std::int64_t k = 0; k < r.d_h.size(); ++k) r.d_h.data()[k] += given.data()[k];
    const auto d = tapes[static_cast<std::size_t>(t)].backward(r.d_h);
    r.d_h = d[h].clone();
    for (std::int64_t k = 0; k < r.d_W.size(); ++k) r.d_W.data()[k] += d[W].data()[k];
    for (std::int64_t k = 0; k < r.d_U.size(); ++k) r.d_U.data()[k] += d[U].data()[k];
    for (std::int64_t k = 0; k < r.d_P.size(); ++k) r.d_P.data()[k] += d[P].data()[k];
    const tensor<double>& of_f = d[fs].values();
    std::copy_n(of_f.data(), of_f.size(), r.d_f.data() + 2 * begin[static_cast<std::size_t>(t)]);
  }
  return r;
}
void expect_near(const gradients_of& a, const gradients_of& b) {
  expect_near(a.last, b.last, "last");
  expect_near(a.all, b.all, "all");
  expect_near(a.d_h, b.d_h, "gradient of the first state");
  expect_near(a.d_W, b.d_W, "gradient of W");
  expect_near(a.d_U, b.d_U, "gradient of the layers");
  expect_near(a.d_f, b.d_f, "gradient of the edges");
  expect_near(a.d_P, b.d_P, "gradient of what multiplies them");
}

TEST(changing_graphs, are_the_same_step_by_step_by_hand) {
  auto training = compile_for_training<repeated, h, W, U, f, P>();
  auto drafted = compile_for_training<repeated, h, W, U, f, P>(draft());
  auto step = compile_for_training<once, h, W, U, fs, P>();
  std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> sizes{{1, 3, 0}, {1, 3, 4}};
  for (const std::int64_t T : {0, 1, 2, 7})
    for (const std::size_t edges : {0, 3, 20}) sizes.push_back({7, T, edges});
  for (const auto& [V, T, edges] : sizes) {
    SCOPED_TRACE(std::to_string(V) + " vertices, " + std::to_string(T) + " steps of " + std::to_string(edges) +
                 " edges");
    const auto steps = random_steps(T, V, edges, 3);
    for (const snapshot_store store : stores) {
      auto graphs = sequence_of(V, steps, store);
      const inputs given = inputs_of(T, V, graphs.edges());
      const gradients_of expected = by_hand(step, V, steps, given);
      expect_near(recorded(training, graphs, given), expected);
      expect_near(recorded(drafted, graphs, given), expected);
      const auto model = compile<repeated>();
      const auto result = model(graphs, x = given.in, f = graphs.edge_steps(given.feature), w = graphs.weights(),
                                h = given.start, W = given.weights, U = given.layers, P = given.products);
      expect_near(result.get<0>(), expected.last, "last, inferred");
      expect_near(result.get<1>(), expected.all, "all, inferred");
    }
  }
}

TEST(changing_graphs, live_as_long_as_tapes_of_them) {
  auto training = compile_for_training<repeated, h, W, U, f, P>();
  const auto steps = random_steps(4, 7, 9, 2);
  auto kept = sequence_of(7, steps, snapshot_store::changes);
  const inputs i = inputs_of(4, 7, kept.edges());
  const auto record = [&] {
    auto graphs = sequence_of(7, steps, snapshot_store::changes);
    auto moved = std::move(graphs);
    return training.record(moved, x = i.in, f = moved.edge_steps(i.feature), w = moved.weights(), h = i.start,
                           W = i.weights, U = i.layers, P = i.products);
  };
  auto tape = record();
  const auto d = tape.backward(i.d_last, i.d_all);
  EXPECT_TRUE(same_bits(d[W], recorded(training, kept, i).d_W));
}

constexpr auto k = over<"H">(parameter<"k", f64, 4>);
constexpr auto Q = parameter<"Q", f64, 4, 4>;
/// A weight that evolves, whose steps only the graphs count; what a step's edges have; and a scan over other steps,
/// which reads no edges.
constexpr auto evolving = [](auto v) {
  auto [last, messages] = scan<"T">(
      v,
      [](auto v, auto weight) {
        auto e = v.in_edges();
        auto m = e.src(matmul(v(h), weight));
        return next(tanh(weight + mean(matmul(sum(m), Q), all_vertices))).gives(m * cast<f64>(e(w)));
      },
      Q);
  auto state = scan<"H">(
      v, [](auto, auto s) { return tanh(s + k); }, matmul(v(h), last));
  return outputs(state, messages);
};

TEST(changing_graphs, count_the_steps_and_give_values_of_their_edges) {
  constexpr std::int64_t V = 5, T = 5;
  const auto steps = random_steps(T, V, 6, 4);
  const auto start = drawn({V, 4}, 1), first = drawn({4, 4}, 2), hops = drawn({3, 4}, 3);
  const auto model = compile<evolving>(draft());
  auto resident = sequence_of(V, steps, snapshot_store::resident);
  auto result = model(resident, h = start, Q = first, k = hops, w = resident.weights());
  EXPECT_EQ(result.get<1>().edge_identity(), resident.edge_identity());
  EXPECT_EQ(result.get<1>().values().shape(), dimensions({resident.edges(), 4}));
  tensor<double> weight = first.clone();
  for (std::int64_t t = 0; t < T; ++t) {
    const graph& g = resident.at(t);
    tensor<double> sums({V, 4});
    for (std::int64_t v = 0; v < V; ++v)
      for (auto e = g.in_edges().begin(v); e != g.in_edges().end(v); ++e)
        for (std::int64_t c = 0; c < 4; ++c) {
          double m = 0;
          for (std::int64_t r = 0; r < 4; ++r) m += start(g.in_edges().neighbour(e), r) * weight(r, c);
          sums(v, c) += m;
          EXPECT_NEAR(result.get<1>().values()(resident.edges_before(t) + e, c),
                      m * static_cast<double>(resident.weights_at(t).values()(e)), 1e-12);
        }
    tensor<double> after({4, 4});
    for (std::int64_t r = 0; r < 4; ++r)
      for (std::int64_t c = 0; c < 4; ++c) {
        double sum = 0;
        for (std::int64_t v = 0; v < V; ++v)
          for (std::int64_t j = 0; j < 4; ++j) sum += sums(v, j) * first(j, c);
        after(r, c) = std::tanh(weight(r, c) + sum / V);
      }
    weight = std::move(after);
  }
  auto changing = sequence_of(V, steps, snapshot_store::changes);
  model.into(result, changing, h = start, Q = first, k = hops, w = changing.weights());
  const auto again = model(resident, h = start, Q = first, k = hops, w = resident.weights());
  EXPECT_TRUE(same_bits(result.get<0>(), again.get<0>()));
  EXPECT_TRUE(same_bits(result.get<1>().values(), again.get<1>().values()));
  for (std::int64_t v = 0; v < V; ++v)
    for (std::int64_t c = 0; c < 4; ++c) {
      double state = 0;
      for (std::int64_t r = 0; r < 4; ++r) state += start(v, r) * weight(r, c);
      for (std::int64_t i = 0; i < 3; ++i) state = std::tanh(state + hops(i, c));
      EXPECT_NEAR(result.get<0>()(v, c), state, 1e-12);
    }
}

constexpr auto twelve = [](auto v) {
  return scan<12>(
      v, [](auto v, auto s) { return sum(v.in_edges().src(s)); }, v(h));
};

TEST(changing_graphs, say_what_is_bound_wrongly) {
  const auto steps = random_steps(3, 5, 6, 4);
  auto graphs = sequence_of(5, steps, snapshot_store::changes);
  auto other = sequence_of(5, random_steps(3, 5, 6, 8), snapshot_store::changes);
  const inputs i = inputs_of(3, 5, graphs.edges());
  const auto model = compile<repeated>(draft());
  const auto call = [&](const tensor<double>& in, const auto& edges, const auto& weights) {
    return model(graphs, x = in, f = edges, w = weights, h = i.start, W = i.weights, U = i.layers, P = i.products);
  };
  const auto edges = graphs.edge_steps(i.feature);
  call(i.in, edges, graphs.weights());
  using test::expect_error;
  {
    const shown_by_one by_another(call_graph(graphs).steps());
    expect_error([&] { call(i.in, edges, graphs.weights()); }, {"graph sequence of changes is in use by another"});
  }
  call(i.in, edges, graphs.weights());
  for (const std::int64_t T : {2, 4})
    expect_error(
        [&] {
          call(drawn({T, 5, 3}, 4), edges, graphs.weights());
        },
        {"extent 'T' is 3 in the graph sequence and " + std::to_string(T) + " in 'x' axis 0; one name is one size"});
  expect_error([&] { call(i.in, edges, other.weights()); },
               {"input 'w' has the weights of another graph sequence; write model(sequence, w = sequence.weights())"});
  expect_error(
      [&] {
        call(i.in, other.edge_steps(drawn({other.edges(), 2}, 1)), graphs.weights());
      },
      {"input 'f' has", "graph sequence"});
  using edge_tensor = edge_steps<double>;
  expect_error(
      [&] {
        call(i.in, edge_tensor::in_id_order(drawn({3, 7, 2}, 1)), graphs.weights());
      },
      {"input 'f' has shape (3, 7, 2); expected 2 axes: (edges of all steps, 2)"});
  expect_error(
      [&] {
        call(i.in, edge_tensor::in_id_order(drawn({7, 2}, 1)), graphs.weights());
      },
      {"input 'f' has 7 rows; the graph sequence has " + std::to_string(graphs.edges()) + " edges in all its steps"});
  expect_error([&] { graphs.edge_steps(drawn({3, 7}, 5)); }, {"give (edges of all steps, ...)"});
  expect_error([&] { compile<twelve>(draft())(graphs, h = i.start); },
               {"the graph sequence has 3 steps; the scan has 12"});
  const graph one = graphs.at(0);
  expect_error(
      [&] {
        model(one, x = i.in, f = one.edge_steps(drawn({3, one.edges(), 2}, 1)), w = graphs.weights(), h = i.start,
              W = i.weights, U = i.layers, P = i.products);
      },
      {"input 'w' has the weights of a graph sequence, and the call has one graph; write model(sequence, w = "
       "sequence.weights())"});
  auto bare = graph_sequence::from_steps(5, std::vector<snapshot_edges>{{{0}, {1}}, {{1}, {2}}});
  expect_error([&] { bare.weights(); }, {"graph sequence has no weights"});
  expect_error([&] { bare.edges_before(3); }, {"graph sequence has no step 3"});
}

}  // namespace
}  // namespace stg::changing
