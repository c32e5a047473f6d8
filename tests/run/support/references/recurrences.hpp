// What cells of every vertex by itself and behind a convolution compute over three steps, written once more from their
// papers: dense matrices, a step after the other, a product for each gate.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given

#include <cmath>       // exp, tanh
#include <cstddef>     // ptrdiff_t
#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

namespace stg::references {

inline constexpr int steps_of_cells = 3;

inline matrix logistic(const matrix& a) {
  return each(a, [](double s) { return 1 / (1 + std::exp(-s)); });
}
inline matrix hyperbolic(const matrix& a) {
  return each(a, [](double s) { return std::tanh(s); });
}
inline matrix one_minus(const matrix& a) {
  return each(a, [](double s) { return 1 - s; });
}
inline std::vector<double> joined(const std::vector<matrix>& steps) {
  std::vector<double> all;
  for (const matrix& y : steps)
    for (const double number : y.numbers()) all.push_back(number);
  return all;
}
/// One matrix above the other.
inline matrix above(const matrix& a, const matrix& b) { return beside(a.transposed(), b.transposed()).transposed(); }

/// What a cell is given at one of the steps.
inline given at_step(const given& all, int t) {
  given g = all;
  for (const char* const name : {"x", "positive_w_of_step", "relation"}) {
    const auto found = all.inputs.find(name);
    if (found == all.inputs.end()) continue;
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(found->second.size()) / steps_of_cells;
    g.inputs[name] = numbers(found->second.begin() + t * count, found->second.begin() + (t + 1) * count);
  }
  return g;
}

/// Gate k of a parameter: two of its columns. Of x there are three rows, of a state two, of a bias one.
inline matrix gate_of_x(const given& g, const std::string& name, int k, int gates) {
  return g.get(name, 3, 2 * gates).middle(2 * k, 2);
}
inline matrix gate_of_h(const given& g, const std::string& name, int k, int gates) {
  return g.get(name, 2, 2 * gates).middle(2 * k, 2);
}
inline matrix gate_of_bias(const given& g, const std::string& name, int k, int gates) {
  return g.row(name, 2 * gates).middle(2 * k, 2);
}

/// A function of the step, a gate and a value: what the gate is told.
using told = std::function<matrix(const given&, int, const matrix&)>;

/// The states of a GRU whose candidate is told by r ⊙ h.
inline std::vector<matrix> gru_states(const given& all, const told& by_x, const told& by_h, const std::string& bias) {
  std::vector<matrix> states;
  matrix h = all.get("h0", all.n, 2);
  for (int t = 0; t < steps_of_cells; ++t) {
    const given g = at_step(all, t);
    const auto gate = [&](int k, const matrix& state) {
      return with_row(by_x(g, k, g.x()) + by_h(g, k, state), gate_of_bias(g, bias, k, 3));
    };
    const matrix r = logistic(gate(0, h)), z = logistic(gate(1, h));
    h = hadamard(z, h) + hadamard(one_minus(z), hyperbolic(gate(2, hadamard(r, h))));
    states.push_back(h);
  }
  return states;
}
inline std::vector<numbers> last_of(const std::vector<matrix>& states) { return {states.back().numbers()}; }

struct memory {
  matrix h, c;
};
/// One step of an LSTM: gates input, forget, cell, output; c is what forget lets pass.
inline memory lstm_step(const std::function<matrix(int)>& gate, const matrix& c) {
  const matrix kept = hadamard(logistic(gate(1)), c) + hadamard(logistic(gate(0)), hyperbolic(gate(2)));
  return {hadamard(logistic(gate(3)), hyperbolic(kept)), kept};
}
/// The last h and c and all h of a cell.
inline std::vector<numbers> lstm_states(const given& all,
                                        const std::function<memory(const given&, const memory&)>& step) {
  std::vector<matrix> states;
  memory m{all.get("h0", all.n, 2), all.get("c0", all.n, 2)};
  for (int t = 0; t < steps_of_cells; ++t) {
    m = step(at_step(all, t), m);
    states.push_back(m.h);
  }
  return {m.h.numbers(), m.c.numbers(), joined(states)};
}
/// The same where x and h tell the gates and nothing else does.
inline std::vector<numbers> plain_lstm(const given& all, const told& by_x, const told& by_h, const std::string& bias) {
  return lstm_states(all, [&](const given& g, const memory& m) {
    return lstm_step([&](int k) { return with_row(by_x(g, k, g.x()) + by_h(g, k, m.h), gate_of_bias(g, bias, k, 4)); },
                     m.c);
  });
}

// ---- a vertex by itself ----

inline std::vector<numbers> gru(const given& all, bool second_bias) {
  matrix h = all.get("h0", all.n, 2);
  for (int t = 0; t < steps_of_cells; ++t) {
    const given g = at_step(all, t);
    const auto by_x = [&](int k) { return with_row(g.x() * gate_of_x(g, "W", k, 3), gate_of_bias(g, "b3", k, 3)); };
    const auto by_h = [&](int k) {
      const matrix y = h * gate_of_h(g, "U", k, 3);
      return second_bias ? with_row(y, gate_of_bias(g, "c3", k, 3)) : y;
    };
    const matrix r = logistic(by_x(0) + by_h(0)), z = logistic(by_x(1) + by_h(1));
    h = hadamard(z, h) + hadamard(one_minus(z), hyperbolic(by_x(2) + hadamard(r, by_h(2))));
  }
  return {h.numbers()};
}
inline matrix x_times_w(const given& g, int k, const matrix& x) { return x * gate_of_x(g, "W", k, 4); }
inline matrix h_times_u(const given& g, int k, const matrix& h) { return h * gate_of_h(g, "U", k, 4); }

// ---- behind a convolution ----

inline std::vector<matrix> tgcn_states(const given& all, const std::function<matrix(const given&)>& seen) {
  return gru_states(
      all, [&](const given& g, int k, const matrix&) { return seen(g) * gate_of_h(g, "I", k, 3); },
      [](const given& g, int k, const matrix& h) { return h * (k == 2 ? g.get("C", 2, 2) : gate_of_h(g, "U", k, 2)); },
      "b3");
}
inline matrix seen_once(const given& g) { return g.normalised(true) * g.x() * g.get("W", 3, 2); }
inline std::vector<numbers> tgcn_of_two(const given& all) {
  return last_of(tgcn_states(
      all, [](const given& g) { return logistic(g.normalised(true) * hyperbolic(seen_once(g)) * g.get("W2", 2, 2)); }));
}
/// Σ_t softmax_t(score)_t ⊙ states_t, where a score has one column or one for each feature.
inline std::vector<numbers> attend(const std::vector<matrix>& states,
                                   const std::function<matrix(const matrix&)>& score) {
  matrix y(states[0].rows(), 2);
  for (int i = 0; i < y.rows(); ++i)
    for (int k = 0; k < 2; ++k) {
      double total = 0;
      for (const matrix& h : states) {
        const matrix s = score(h);
        const double share = std::exp(s(i, s.columns() == 1 ? 0 : k));
        total += share;
        y(i, k) += share * h(i, k);
      }
      y(i, k) /= total;
    }
  return {y.numbers()};
}

}  // namespace stg::references
