// Every fused kernel, forward, backward and step, at several widths on both synthetic graphs, with yardsticks and
// limits.
#include <stg/bench.hpp>  // bench::program

#include "fill.hpp"       // filled
#include "graphs.hpp"     // named
#include "layers.hpp"     // of_width, attention_of
#include "yardstick.hpp"  // prepare, weighted_sum, attention

#include <memory>  // shared_ptr
#include <string>  // string
#include <vector>  // vector

namespace {

/// A graph, its numbers, and room for results: alive as long as the program, as registered benchmarks refer to them.
struct subject {
  std::string name;
  stg::graph graph;
  yardstick::graph prepared;
  floats x, c, w, scores, y, d_el, d_er;
  stg::edge_values<float> weights;  // w, as stg takes it

  subject(const std::string& name, const stg::graph& g) : name(name), graph(g), prepared(yardstick::prepare(g)) {
    const std::int64_t rows = g.vertices();
    x = filled(rows * 256, 1);
    c = filled(rows, 2);
    w = filled(g.edges(), 3);
    weights = stg::edge_values<float>::in_id_order(w.as({g.edges()}));
    scores = filled(rows * 8, 4);
    y = floats(rows * 256);
    d_el = floats(rows * 8);
    d_er = floats(rows * 8);
  }
};

/// Tensors that bindings refer to.
std::vector<std::unique_ptr<stg::tensor<float>>> kept;
stg::tensor<float>& keep(stg::tensor<float> t) {
  return *kept.emplace_back(std::make_unique<stg::tensor<float>>(std::move(t)));
}

template <class Body> void by_hand(subject& s, const std::string& name, Body body) {
  benchmark::RegisterBenchmark((s.name + "/by_hand/" + name).c_str(),
                               [&s, body](benchmark::State& state) {
                                 double seconds = 0;
                                 for (auto _ : state) {
                                   const double now = stg::bench::running::seconds_of(body);
                                   state.SetIterationTime(now);
                                   seconds += now;
                                 }
                                 state.counters["edges/s"] = static_cast<double>(s.graph.edges()) *
                                                             static_cast<double>(state.iterations()) / seconds;
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

template <int Width> void sums(subject& s, const stg::edge_values<float>& W) {
  using layer = layers::of_width<Width>;
  const std::int64_t rows = s.graph.vertices();
  auto& X = keep(s.x.as({rows, Width}));
  auto& C = keep(s.c.as({rows}));
  const std::string width = "/" + std::to_string(Width);
  stg::bench::program<layer::weighted_sum>(s.name + "/weighted_sum" + width, s.graph, layer::x = X, layer::c = C);
  by_hand(s, "weighted_sum" + width + "/forward",
          [&s] { yardstick::weighted_sum(s.prepared, s.c.data(), s.x.data(), s.y.data(), Width); });
  by_hand(s, "weighted_sum" + width + "/backward",
          [&s] { yardstick::weighted_sum_backward(s.prepared, s.c.data(), s.x.data(), s.y.data(), Width); });
  stg::bench::program<layer::edge_weighted_sum>(s.name + "/edge_weighted_sum" + width, s.graph, layer::x = X,
                                                layer::w = W);
  by_hand(s, "edge_weighted_sum" + width + "/forward",
          [&s] { yardstick::edge_weighted_sum(s.prepared, s.w.data(), s.x.data(), s.y.data(), Width); });
  by_hand(s, "edge_weighted_sum" + width + "/backward",
          [&s] { yardstick::edge_weighted_sum_backward(s.prepared, s.w.data(), s.x.data(), s.y.data(), Width); });
  stg::bench::program<layer::mean_of_neighbours>(s.name + "/mean" + width, s.graph, layer::x = X);
  stg::bench::program<layer::max_of_neighbours>(s.name + "/max" + width, s.graph, layer::x = X);
}

/// The same sum over features of two bytes, without a gradient.
template <stg::scalar_type Stored, int Width> void stored_sum(subject& s, const stg::edge_values<float>& W) {
  using layer = layers::stored_in<Stored, Width>;
  const std::int64_t rows = s.graph.vertices();
  static std::vector<std::unique_ptr<stg::tensor<stg::element_t<Stored>>>> narrow;
  auto& X = *narrow.emplace_back(std::make_unique<stg::tensor<stg::element_t<Stored>>>(stg::dimensions{rows, Width}));
  for (std::int64_t i = 0; i < X.size(); ++i) X.data()[i] = s.x[i];
  const std::string name = "/edge_weighted_sum_" + std::string(name_of(Stored)) + "/" + std::to_string(Width);
  stg::bench::program<layer::edge_weighted_sum>(s.name + name, s.graph, layer::x = X, layer::w = W);
}

template <int Heads, int Dim> void attention(subject& s) {
  using layer = layers::attention_of<Heads, Dim>;
  const std::int64_t rows = s.graph.vertices();
  auto& H = keep(s.x.as({rows, Heads, Dim}));
  auto& L = keep(s.scores.as({rows, Heads, 1}));
  const std::string shape = "attention/" + std::to_string(Heads) + "x" + std::to_string(Dim);
  stg::bench::program<layer::attention>(s.name + "/" + shape, s.graph, layer::h = H, layer::el = L, layer::er = L);
  const auto hand = std::make_shared<yardstick::attention>(s.prepared, Heads, Dim);
  const auto out = std::make_shared<floats>(rows * Heads * Dim);
  const float* scores = s.scores.data();
  by_hand(s, shape + "/forward", [&s, hand, out, scores] { hand->forward(scores, scores, s.x.data(), out->data()); });
  by_hand(s, shape + "/step", [&s, hand, out, scores] {
    hand->forward_in_training(scores, scores, s.x.data(), out->data());
    hand->backward(scores, s.x.data(), out->data(), s.x.data(), s.d_el.data(), s.d_er.data(), s.y.data());
  });
}

/// The limits themselves, in the units in which kernels are counted.
void limits(subject& s) {
  for (std::int64_t width : {7, 16, 64, 100, 128, 256})
    benchmark::RegisterBenchmark((s.name + "/floor/" + std::to_string(width)).c_str(),
                                 [&s, width](benchmark::State& state) {
                                   stg::probe::gather floor(s.graph, width);
                                   for (auto _ : state) state.SetIterationTime(floor.best(1));
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
}
void machine(benchmark::State& state) {
  for (auto _ : state) {
    const stg::probe::bandwidth memory = stg::probe::memory_bandwidth();
    state.counters["read_GB/s"] = memory.read / 1e9;
    state.counters["write_GB/s"] = memory.write / 1e9;
    state.counters["triad_GB/s"] = memory.triad / 1e9;
    state.counters["GFLOP/s"] = stg::probe::arithmetic_peak() / 1e9;
  }
}

void everything_on(subject& s) {
  const stg::edge_values<float>& W = s.weights;
  limits(s);
  sums<7>(s, W);
  sums<16>(s, W);
  sums<64>(s, W);
  sums<100>(s, W);
  sums<128>(s, W);
  sums<256>(s, W);
  stored_sum<stg::bf16, 64>(s, W);
  stored_sum<stg::bf16, 128>(s, W);
  stored_sum<stg::f16, 64>(s, W);
  stored_sum<stg::f16, 128>(s, W);
  attention<8, 8>(s);
  attention<1, 64>(s);
  attention<4, 64>(s);
}

}  // namespace

int main(int argc, char** argv) {
  std::string shorter = "--benchmark_min_time=0.1";  // all of them in some minutes; what you write comes later and wins
  std::vector<char*> arguments = {argv[0], shorter.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  argv = arguments.data();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RegisterBenchmark("machine", machine)->Iterations(1);
  std::vector<std::unique_ptr<subject>> subjects;
  for (const std::string name : {"arxiv_like", "reddit_like"})
    everything_on(*subjects.emplace_back(std::make_unique<subject>(name, *graphs::named(name))));
  benchmark::RunSpecifiedBenchmarks();
}
