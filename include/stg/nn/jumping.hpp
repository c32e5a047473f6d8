// Jumping knowledge by attention: the layers of a network as a short sequence that an LSTM reads in both directions.
#pragma once

#include <array>    // array
#include <cstddef>  // size_t
#include <utility>  // index_sequence

#include <stg/nn/recurrent/sequence.hpp>  // lstm
#include <stg/nn/transform.hpp>           // transform
#include <stg/op/for_layers.hpp>          // for_layers
#include <stg/op/list.hpp>                // matmul, sigmoid, tanh, slice, concat, softmax

namespace stg::nn {

namespace detail {
/// What an LSTM of N hidden features gives at each step, (N) each, where gates[t] is x_t W + b. Steps go from the last
/// to the first if `backward`; the result stands in the order of the gates.
template <int N, class State, class Gates, std::size_t... T>
constexpr auto outputs_of_lstm(State u, const std::array<Gates, sizeof...(T)>& gates, bool backward,
                               std::index_sequence<T...>) {
  constexpr std::size_t steps = sizeof...(T);
  const auto at = [&](std::size_t t) { return backward ? steps - 1 - t : t; };
  const auto g = gates[at(0)];
  auto cell = sigmoid(slice<0, N>(g)) * tanh(slice<2 * N, 3 * N>(g));  // the state begins as 0
  auto output = sigmoid(slice<3 * N, 4 * N>(g)) * tanh(cell);
  std::array outputs = {(static_cast<void>(T), output)...};
  for (std::size_t t = 1; t < steps; ++t) {
    const lstm_state s = lstm_step(gates[at(t)] + matmul(output, u), cell);
    cell = s.c;
    output = s.h;
    outputs[at(t)] = output;
  }
  return outputs;
}

template <class Forward, class Backward, class Score, std::size_t... T, class... H>
constexpr auto attend_to_layers(Forward forward, Backward backward, Score score, std::index_sequence<T...> steps,
                                H... h) {
  constexpr int there = axis_extent<typename for_layers::operand_traits<decltype(forward.state)>::dims, 0>;
  constexpr int back = axis_extent<typename for_layers::operand_traits<decltype(backward.state)>::dims, 0>;
  const auto f =
      outputs_of_lstm<there>(forward.state, std::array{linear(h, forward.input, forward.bias)...}, false, steps);
  const auto b =
      outputs_of_lstm<back>(backward.state, std::array{linear(h, backward.input, backward.bias)...}, true, steps);
  auto share = softmax(concat<axis<0>>(transform(concat<axis<0>>(f[T], b[T]), score)...), axis<0>);  // (layers)
  return (... + (slice<static_cast<int>(T), static_cast<int>(T) + 1>(share) * h));
}
}  // namespace detail

/// Σ_t α_t h_t over two layers or more, each (in) → (in), with α = softmax_t s([f_t, b_t]), where f_t and b_t are what
/// an LSTM gives at layer t that reads the layers from the first on and from the last on; s a parameter (hidden of both
/// directions, 1) or a function. Every vertex has shares of its own. Xu et al., ICML 2018, section 4 (LSTM-attention);
/// the LSTM is that of Gers et al., Neural Computation 12, 2000, without peepholes; PyG's JumpingKnowledge with mode
/// lstm.
///
///   auto y = stg::nn::jumping_knowledge_lstm(stg::nn::lstm{Wf, Uf, bf}, stg::nn::lstm{Wb, Ub, bb}, s, h1, h2, h3);
template <class Forward, class Backward, class Score, class First, class Second, class... More>
constexpr auto jumping_knowledge_lstm(Forward forward, Backward backward, Score score, First first, Second second,
                                      More... more) {
  return detail::attend_to_layers(forward, backward, score, std::make_index_sequence<2 + sizeof...(More)>(), first,
                                  second, more...);
}

}  // namespace stg::nn
