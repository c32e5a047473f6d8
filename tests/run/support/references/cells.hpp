// What cells of graph convolutions, of evolving weights and of networks compute over three steps, written once more
// from their papers; and all cells by their names.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given
#include "recurrences.hpp"   // gru_states, lstm_states

#include <algorithm>   // stable_sort
#include <cmath>       // sqrt, tanh
#include <functional>  // function
#include <map>         // map
#include <numeric>     // iota
#include <string>      // string
#include <vector>      // vector

namespace stg::references {

// ---- of convolutions ----

/// Σ_k T_k(-P) y W_k, W_k(k) the weight of term k, for so many terms.
inline matrix filtered(const given& g, const matrix& y, int terms, const std::function<matrix(int)>& weight) {
  const matrix I = matrix::identity(g.n), L = -1.0 * g.normalised(true);
  std::vector<matrix> T = {I, L};
  matrix sum = T[0] * y * weight(0);
  for (int k = 1; k < terms; ++k) {
    if (k >= 2) T.push_back(2 * L * T[static_cast<std::size_t>(k - 1)] - T[static_cast<std::size_t>(k - 2)]);
    sum = sum + T[static_cast<std::size_t>(k)] * y * weight(k);
  }
  return sum;
}
inline std::string numbered(const char* letter, int k) { return letter + std::to_string(k); }

inline std::vector<numbers> gconv_gru(const given& all) {
  return last_of(gru_states(
      all,
      [](const given& g, int gate, const matrix& x) {
        return filtered(g, x, 2, [&](int k) { return gate_of_x(g, numbered("W", k), gate, 3); });
      },
      [](const given& g, int gate, const matrix& h) {
        if (gate == 2) return filtered(g, h, 3, [&](int k) { return g.get(numbered("C", k), 2, 2); });
        return filtered(g, h, 2, [&](int k) { return gate_of_h(g, numbered("U", k), gate, 2); });
      },
      "b3"));
}
/// D^-1 A with D the row sums of A, 0 for a row of zeros.
inline matrix walk(const matrix& A) {
  return each(A.sum_of_columns(), [](double d) { return d == 0 ? 0 : 1 / d; }).diagonal() * A;
}
/// y W_0 + Σ_k (P^k y F_k + Q^k y B_k), where A(i, j) is the weight of the edges from i to j.
inline matrix diffused(const given& g, const matrix& y, int hops, bool weights, const std::function<matrix(int)>& own,
                       const std::function<matrix(int)>& there, const std::function<matrix(int)>& back) {
  given weighted = g;
  if (weights) weighted.inputs["positive_w"] = g.inputs.at("positive_w_of_step");
  const matrix to = weighted.adjacency(weights);  // (i, j): from j to i
  matrix sum = y * own(0);
  for (int k = 1; k <= hops; ++k)
    sum = sum + power(walk(to.transposed()), k) * y * there(k) + power(walk(to), k) * y * back(k);
  return sum;
}
inline std::vector<numbers> dcrnn(const given& all, bool weights) {
  const auto by_x = [=](const given& g, int gate, const matrix& x) {
    const auto named = [&](const char* letter) {
      return [&g, gate, letter](int k) { return gate_of_x(g, numbered(letter, k), gate, 3); };
    };
    return diffused(g, x, weights ? 2 : 1, weights, named("W"), named("F"), named("B"));
  };
  const auto by_h = [=](const given& g, int gate, const matrix& h) {
    const auto of_gate = [&](const char* letter) {
      return [&g, gate, letter](int k) { return gate_of_h(g, numbered(letter, k), gate, 2); };
    };
    const auto of_candidate = [&](const char* letter) {
      return [&g, letter](int k) { return g.get(numbered(letter, k), 2, 2); };
    };
    if (gate == 2) return diffused(g, h, 1, weights, of_candidate("C"), of_candidate("E"), of_candidate("K"));
    return diffused(g, h, weights ? 1 : 0, weights, of_gate("U"), of_gate("G"), of_gate("D"));
  };
  return last_of(gru_states(all, by_x, by_h, "b3"));
}
inline std::vector<numbers> gconv_lstm(const given& all) {
  return lstm_states(all, [](const given& g, const memory& m) {
    const auto gate = [&](int of) {
      return with_row(filtered(g, g.x(), 3, [&](int k) { return gate_of_x(g, numbered("W", k), of, 4); }) +
                          filtered(g, m.h, 2, [&](int k) { return gate_of_h(g, numbered("U", k), of, 4); }),
                      gate_of_bias(g, "b4", of, 4));
    };
    const auto peep = [&](int row, const matrix& c) { return c * g.get("p", 3, 2).row(row).transposed().diagonal(); };
    const matrix i = logistic(gate(0) + peep(0, m.c)), f = logistic(gate(1) + peep(1, m.c));
    const matrix c = hadamard(f, m.c) + hadamard(i, hyperbolic(gate(2)));
    return memory{hadamard(logistic(gate(3) + peep(2, c)), hyperbolic(c)), c};
  });
}
inline std::vector<numbers> gc_lstm(const given& all, bool both) {
  return lstm_states(all, [=](const given& g, const memory& m) {
    const auto gate = [&](int of) {
      return with_row(
          x_times_w(g, of, g.x()) + filtered(g, m.h, 2, [&](int k) { return gate_of_h(g, numbered("U", k), of, 4); }),
          gate_of_bias(g, "b4", of, 4));
    };
    const auto weight = [&](int k) { return g.get(numbered("K", k), 2, 2); };
    return lstm_step(gate, both ? filtered(g, m.c, 2, weight) : m.c);
  });
}
/// y W + Σ_r (mean over in-edges of relation r of y_j) W_r, for one gate: W_r = Σ_b a_rb V_b.
inline matrix of_relations(const given& g, const matrix& y, int gate, const std::string& own, const std::string& bases,
                           const std::string& mixture) {
  const int in = y.columns();
  matrix sum = y * g.get(own, in, 8).middle(2 * gate, 2);
  for (int r = 0; r < 5; ++r) {
    matrix A(g.n, g.n);
    for (std::size_t e = 0; e < g.edges.size(); ++e)
      if (g.inputs.at("relation")[e] == r)
        A(static_cast<int>(g.edges[e].second), static_cast<int>(g.edges[e].first)) += 1;
    matrix W(in, 2);
    for (int b = 0; b < 2; ++b)
      W = W + g.get(mixture, 5, 2)(r, b) * g.get(bases, 2 * in, 8).rows(b * in, in).middle(2 * gate, 2);
    sum = sum + walk(A) * y * W;
  }
  return sum;
}

// ---- of evolving weights ----

/// Gate k of matrices whose gates stand one above the other, three rows each.
inline matrix gate_above(const given& g, const std::string& name, int k, int gates, int columns) {
  return g.get(name, 3 * gates, columns).rows(3 * k, 3);
}
inline std::vector<numbers> evolve_gcn_o(const given& all) {
  std::vector<matrix> ys;
  memory m{all.get("W0", 3, 2), all.get("C0", 3, 2)};
  for (int t = 0; t < steps_of_cells; ++t) {
    const given g = at_step(all, t);
    m = lstm_step([&](int k) { return gate_above(g, "U", k, 4, 3) * m.h + gate_above(g, "B", k, 4, 2); }, m.c);
    ys.push_back(g.normalised(true) * g.x() * m.h);
  }
  return {m.h.numbers(), m.c.numbers(), joined(ys)};
}
/// The two rows that score highest, each times tanh of its score, as columns; zeros where there is one row.
inline matrix summary(const given& g) {
  const matrix p = g.get("p", 3, 1), score = 1 / std::sqrt(square(p).sum()) * (g.x() * p);
  std::vector<int> order(static_cast<std::size_t>(g.n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return score(i, 0) > score(j, 0); });
  const auto column = [&](std::size_t k) {
    return k >= order.size() ? matrix(3, 1) : std::tanh(score(order[k], 0)) * g.x().row(order[k]).transposed();
  };
  return beside(column(0), column(1));
}
inline std::vector<numbers> evolve_gcn_h(const given& all) {
  std::vector<matrix> ys;
  matrix w = all.get("W0", 3, 2);
  for (int t = 0; t < steps_of_cells; ++t) {
    const given g = at_step(all, t);
    const auto gate = [&](int k, const matrix& state, const matrix& by) {
      return gate_above(g, "U", k, 3, 3) * summary(g) + state * by + gate_above(g, "B", k, 3, 2);
    };
    const matrix r = logistic(gate(0, gate_above(g, "V", 0, 2, 3), w));
    const matrix z = one_minus(logistic(gate(1, gate_above(g, "V", 1, 2, 3), w)));  // the paper's
    const matrix n = hyperbolic(gate(2, g.get("N", 3, 3), hadamard(r, w)));
    w = hadamard(one_minus(z), w) + hadamard(z, n);
    ys.push_back(g.normalised(true) * g.x() * w);
  }
  return {w.numbers(), joined(ys)};
}

// ---- of networks ----

inline matrix gated_graph(const given& g) {
  matrix h = beside(g.x(), matrix(g.n, 1));
  for (const char* const layer : {"W1", "W2"}) {
    const matrix m = g.adjacency(true) * (h * g.get(layer, 4, 4));
    const auto gate = [&](const matrix& y, const std::string& name, int k) {
      return y * g.get(name, 4, 12).middle(4 * k, 4);
    };
    const auto bias = [&](const matrix& y, int k) { return with_row(y, g.row("b12", 12).middle(4 * k, 4)); };
    const matrix r = logistic(bias(gate(m, "M", 0) + gate(h, "G", 0), 0));
    const matrix z = logistic(bias(gate(m, "M", 1) + gate(h, "G", 1), 1));
    const matrix n = hyperbolic(bias(gate(m, "M", 2) + hadamard(r, gate(h, "G", 2)), 2));
    h = hadamard(z, h) + hadamard(one_minus(z), n);
  }
  return h;
}
inline std::vector<numbers> dygr_encoder(const given& all) {
  return plain_lstm(
      all, [](const given& g, int k, const matrix&) { return gated_graph(g) * g.get("I", 4, 8).middle(2 * k, 2); },
      h_times_u, "b4");
}
inline std::vector<numbers> mpnn_lstm(const given& all) {
  const matrix h0 = all.get("h0", all.n, 2), c0 = all.get("c0", all.n, 2);
  memory one{h0, c0}, two{c0, h0};
  for (int t = 0; t < steps_of_cells; ++t) {
    const given g = at_step(all, t);
    const matrix P = g.normalised(true);
    const matrix near = relu(P * g.x() * g.get("W1", 3, 2)), far = relu(P * near * g.get("W2", 2, 3));
    one = lstm_step(
        [&](int k) {
          return with_row(beside(near, far) * g.get("I", 5, 8).middle(2 * k, 2) + h_times_u(g, k, one.h),
                          gate_of_bias(g, "b4", k, 4));
        },
        one.c);
    two = lstm_step(
        [&](int k) {
          return with_row(one.h * gate_of_h(g, "J", k, 4) + two.h * gate_of_h(g, "R", k, 4),
                          gate_of_bias(g, "d4", k, 4));
        },
        two.c);
  }
  return {one.h.numbers(), one.c.numbers(), two.h.numbers(), two.c.numbers()};
}
/// Over the whole sequence, with the step before it, as the paper has it: kernels of two steps.
inline std::vector<numbers> st_conv(const given& all) {
  std::vector<matrix> inputs = {all.get("past_x", all.n, 3)}, hidden = {matrix(all.n, 3)}, ys;
  for (int t = 0; t < steps_of_cells; ++t) inputs.push_back(at_step(all, t).x());
  for (std::size_t t = 1; t < inputs.size(); ++t) {
    const auto half = [&](int k) {
      return inputs[t - 1] * all.get("W", 6, 4).rows(0, 3).middle(2 * k, 2) +
             inputs[t] * all.get("W", 6, 4).rows(3, 3).middle(2 * k, 2);
    };
    const matrix passed = hadamard(half(0), logistic(half(1)));
    hidden.push_back(relu(filtered(all, passed, 2, [&](int k) { return all.get(numbered("C", k), 2, 3); })));
  }
  for (std::size_t t = 1; t < hidden.size(); ++t) {
    const auto half = [&](int k) {
      return with_row(hidden[t - 1] * all.get("A", 6, 4).rows(0, 3).middle(2 * k, 2) +
                          hidden[t] * all.get("A", 6, 4).rows(3, 3).middle(2 * k, 2),
                      all.row("a", 4).middle(2 * k, 2));
    };
    ys.push_back(hadamard(half(0), logistic(half(1))));
  }
  return {inputs.back().numbers(), hidden.back().numbers(), joined(ys)};
}

/// By the name of the cell: its outputs.
inline std::map<std::string, std::function<std::vector<numbers>(const given&)>> of_cells() {
  std::map<std::string, std::function<std::vector<numbers>(const given&)>> of;
  of["gru"] = [](const given& g) { return gru(g, false); };
  of["gru_of_two_biases"] = [](const given& g) { return gru(g, true); };
  of["lstm"] = [](const given& g) { return plain_lstm(g, x_times_w, h_times_u, "b4"); };
  of["tgcn"] = [](const given& g) { return last_of(tgcn_states(g, seen_once)); };
  of["tgcn_of_two_convolutions"] = tgcn_of_two;
  of["a3tgcn"] = [](const given& g) {
    return attend(tgcn_states(g, seen_once), [&](const matrix& h) { return h * g.get("score", 2, 1); });
  };
  of["a3tgcn_of_results"] = [](const given& g) {
    const auto seen = [](const given& at) { return at.normalised() * hyperbolic(at.x()) * at.get("W", 3, 2); };
    return attend(tgcn_states(g, seen), [](const matrix& h) { return 2.0 * h; });
  };
  of["gconv_gru"] = gconv_gru;
  of["dcrnn"] = [](const given& g) { return dcrnn(g, true); };
  of["dcrnn_unweighted"] = [](const given& g) { return dcrnn(g, false); };
  of["gconv_lstm"] = gconv_lstm;
  of["gc_lstm"] = [](const given& g) { return gc_lstm(g, true); };
  of["gc_lstm_of_one"] = [](const given& g) { return gc_lstm(g, false); };
  of["lrgcn"] = [](const given& all) {
    return plain_lstm(
        all, [](const given& g, int k, const matrix& x) { return of_relations(g, x, k, "W", "V", "mixture"); },
        [](const given& g, int k, const matrix& h) { return of_relations(g, h, k, "U", "S", "blend"); }, "b4");
  };
  of["evolve_gcn_o"] = evolve_gcn_o;
  of["evolve_gcn_h"] = evolve_gcn_h;
  of["dygr_encoder"] = dygr_encoder;
  of["mpnn_lstm"] = mpnn_lstm;
  of["st_conv"] = st_conv;
  return of;
}

}  // namespace stg::references
