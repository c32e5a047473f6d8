// Traces programs of about 50, 100 and 200 statements and takes each through every stage of the pipeline, counted by
// callgrind one stage at a time.
#include <stg/codegen/recorded_call.hpp>  // find_gradient_mistake
#include <stg/compile.hpp>                // pipeline
#include <stg/nn/conv.hpp>                // gcn_conv, gat_conv
#include <stg/pass/autodiff.hpp>          // trainable_inputs
#include <stg/stg.hpp>                    // the language

#include <valgrind/callgrind.h>  // CALLGRIND_TOGGLE_COLLECT

#include <cstdio>   // printf
#include <cstdlib>  // abort
#include <string>   // string
#include <utility>  // index_sequence

namespace {

using stg::ir::program;

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", 16>);  // so that the first layer is like the others
inline constexpr auto target = stg::vertex_feature<"target", 16>;

/// A parameter of each layer by itself: W0, W1, …
template <int K> constexpr stg::fixed_string<4> numbered(char letter) {
  const char name[4] = {letter, static_cast<char>('0' + K / 10), static_cast<char>('0' + K % 10), 0};
  return stg::fixed_string<4>(name);
}
template <int K> inline constexpr auto W = stg::parameter<numbered<K>('W'), 16, 16>;
template <int K> inline constexpr auto from = stg::parameter<numbered<K>('s'), 2, 8>;
template <int K> inline constexpr auto to = stg::parameter<numbered<K>('d'), 2, 8>;

/// One layer of the model: a convolution and attention in turn.
template <int K, class H> constexpr auto layer(stg::vertex_view v, H h) {
  if constexpr (K % 2 == 0) return relu(stg::nn::gcn_conv(v, h, W<K>));
  else return elu(stg::reshape<16>(stg::nn::gat_conv(v, h, W<K>, from<K>, to<K>)));
}
template <int K, int Layers, class H> constexpr auto layers(stg::vertex_view v, H h) {
  if constexpr (K == Layers) return h;
  else return layers<K + 1, Layers>(v, layer<K>(v, h));
}
template <int Layers> inline constexpr auto loss = [](auto v) { return mse(layers<0, Layers>(v, v(x)), v(target)); };

int traced_statements = 0;  // of the program whose stages are counted

/// Counts a stage that works on a program of so many statements.
template <class Stage> auto counted(const char* name, int statements, const Stage& stage) {
  const std::string dump =
      std::string(name) + "/" + std::to_string(traced_statements) + "/" + std::to_string(statements);
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_TOGGLE_COLLECT;
  auto result = stage();
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return result;
}

template <int Layers> void count() {
  using namespace stg;
  const program traced = trace(loss<Layers>);
  traced_statements = traced.size();
  std::printf("%d\n", traced_statements);
  counted("trace", traced.size(), [] { return trace(loss<Layers>); });

  const program ordered = counted("order", traced.size(), [&] { return pass::order(traced); });
  const program merged = counted("cse", traced.size(), [&] { return pass::cse(ordered); });
  const program folded = counted("fold", traced.size(), [&] { return pass::fold(merged); });
  const program multiplied = counted("multiply_first", traced.size(), [&] { return pass::multiply_first(folded); });
  const program p = counted("aggregate_first", traced.size(), [&] { return pass::aggregate_first(multiplied); });
  counted("inferred", traced.size(), [&] { return pipeline::inferred(p); });
  sequence<int> trained;
  for (int entry = 0; entry < p.inputs.size(); ++entry)
    if (p.inputs[entry].trainable) trained.push_back(entry);
  const auto mistake =
      counted("gradient_mistake", p.size(), [&] { return detail::find_gradient_mistake(p, {0}, trained); });
  if (mistake.what != detail::gradient_finding::none) std::abort();

  const sequence<ir::value_id> required = pass::trainable_inputs(p);
  const int outputs = p.outputs.size(), inputs = p.inputs.size();
  const int both = pipeline::joined(p, {0}, required).size();
  const program joint = counted("autodiff", both, [&] { return pipeline::joined(p, {0}, required); });
  const program whole = counted("training_expand_fold", both, [&] { return pipeline::folded(joint); });
  const program moved = counted("algebra", whole.size(), [&] { return pipeline::moved(whole, outputs, inputs); });
  const auto cut = counted("save", moved.size(), [&] { return pass::split(moved, outputs, {0}, inputs); });
  const program forward = counted("sink_dce", cut.forward.size(), [&] { return pipeline::half(cut.forward); });
  const program gradient =
      counted("sink_dce_pack", cut.gradient.size(), [&] { return pipeline::gradient_half(cut.gradient); });
  const auto forward_units = counted("fuse", forward.size(), [&] { return pass::fuse(forward); });
  const auto gradient_units = counted("fuse_gradient", gradient.size(), [&] { return pass::fuse(gradient); });
  counted("plan", forward.size(), [&] { return pass::schedule(forward, forward_units); });
  counted("plan_gradient", gradient.size(), [&] { return pass::schedule(gradient, gradient_units); });
  counted("verify", moved.size(), [&] { return pass::verify(moved); });
}

}  // namespace

/// "statements N" for each program, and a dump of callgrind's for every stage of it: "fold/100".
int main() {
  count<2>();
  count<6>();
  count<12>();
}
