// Traces programs of about 50, 200 and 800 statements, or with the argument `calls` programs of 2, 10 and 42 equal
// calls, and takes each through every pass of the pipeline, counted by callgrind one stage at a time.
#include <stg/call/recorded_call.hpp>  // find_gradient_mistake
#include <stg/compile.hpp>             // pipeline
#include <stg/nn/conv.hpp>             // gcn_conv, gat_conv
#include <stg/pass/autodiff.hpp>       // trainable_inputs
#include <stg/stg.hpp>                 // the language

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

/// Attention alone, called each time.
inline constexpr auto attention = [](auto v, auto h, auto weight, auto source, auto destination) {
  return elu(stg::reshape<16>(stg::nn::gat_conv(v, h, weight, source, destination)));
};
template <int K, int Calls, class H> constexpr auto calls(stg::vertex_view v, H h) {
  if constexpr (K == Calls) return h;
  else return calls<K + 1, Calls>(v, call(attention, v, h, W<K>, from<K>, to<K>));
}
template <int Calls> inline constexpr auto called = [](auto v) { return mse(calls<0, Calls>(v, v(x)), v(target)); };

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

/// Takes a program through a list of passes, each one counted; autodiff by the statements that it writes.
template <class Passes> program counted_passes(const char* list, program p, const stg::pipeline::request& asked) {
  for (const stg::pipeline::step& step : Passes::list) {
    const bool writes = step.growth > 1;
    const int statements = writes ? step.run(p, asked).size() : p.size();
    p = counted((std::string(list) + ":" + step.name).c_str(), statements, [&] { return step.run(p, asked); });
  }
  return p;
}
void count_plan(const char* name, const program& p) {
  const auto units = counted((std::string(name) + ":fuse").c_str(), p.size(), [&] { return stg::pass::fuse(p); });
  counted((std::string(name) + ":plan").c_str(), p.size(), [&] { return stg::pipeline::planned(p, units); });
}

template <const auto& Model> void count() {
  using namespace stg;
  const program traced = trace(Model);
  traced_statements = traced.size();
  std::printf("%d\n", traced_statements);
  counted("trace", traced.size(), [] { return trace(Model); });

  const program p = counted_passes<pipeline::canonical_passes>("canonical", traced, {});
  counted_passes<pipeline::inference_passes>("inference", p, pipeline::asked_of(p));

  pipeline::request asked = pipeline::asked_of(p, {0}, pass::trainable_inputs(p));
  const program joint = counted_passes<pipeline::joint_passes>("joint", p, asked);
  const ir::flags saved =
      counted("save", joint.size(), [&] { return pass::saved_values(joint, asked.outputs, asked.inputs); });
  asked.saved = saved.first;
  count_plan("forward", counted_passes<pipeline::forward_passes>("forward", joint, asked));
  count_plan("gradient", counted_passes<pipeline::gradient_passes>("gradient", joint, asked));
  counted("verify", joint.size(), [&] { return pass::verify(joint); });
}

}  // namespace

/// "statements N" for each program, and a dump of callgrind's for every stage of it: "joint:fold/100/260".
int main(int arguments, char**) {
  if (arguments == 1) {
    count<loss<2>>();
    count<loss<10>>();
    count<loss<42>>();
  } else {
    count<called<2>>();
    count<called<10>>();
    count<called<42>>();
  }
}
