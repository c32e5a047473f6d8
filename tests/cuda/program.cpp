// A user's file that stg_add_program compiles as CUDA: the same program on the CPU and, where there is a device, on it.
#include <stg/runtime/cuda/device.hpp>  // device
#include <stg/runtime/cuda/stream.hpp>  // captured_step, stream
#include <stg/stg.hpp>                  // the language

#include <cmath>      // abs
#include <cstdint>    // int64_t
#include <cstdio>     // printf
#include <exception>  // exception
#include <vector>     // vector

inline constexpr auto h = stg::vertex_feature<"h", 12>;
inline constexpr auto goal = stg::vertex_feature<"goal", 8>;
inline constexpr auto W = stg::parameter<"W", 12, 8>;
inline constexpr auto from = stg::parameter<"from", 2, 4>;
inline constexpr auto to = stg::parameter<"to", 2, 4>;
inline constexpr auto gathered = [](auto v) { return sum(v.in_edges().src(h)); };  // one kernel, no product
inline constexpr auto layer = [](auto v) { return elu(stg::reshape<8>(stg::nn::gat_conv(v, v(h), W, from, to))); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(goal)); };

inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 12>);
inline constexpr auto U = stg::parameter<"U", 8, 8>;
inline constexpr auto recurrence = [](auto v) {
  auto last = stg::scan<"T">(
      v, [](auto v, auto state) { return tanh(matmul(v(x), W) + matmul(mean(v.in_edges().src(state)), U)); },
      stg::zeros<8>(v));
  return mse(last, v(goal));
};

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto known = author.feature<"known", 8>;
inline constexpr auto words = paper.feature<"words", 8>;
inline constexpr auto topic = paper.feature<"topic", 8>;
inline constexpr auto of_two_sets = [](auto g) {
  auto p = g(paper);
  auto h = relu(matmul(mean(p.in_edges(writes).src(g(author)(known))), U) + sum(p.in_edges(cites).src(p(words))) +
                p.out_degree(cites) / p.vertex_count());
  auto seen = max(g(author).out_edges(writes).dst(h));
  return mse(h + sum(p.in_edges(writes).src(seen)), p(topic));
};

/// Not a number where there is one among the differences, or the shapes differ.
static double largest_difference(const stg::tensor<float>& a, const stg::tensor<float>& b) {
  double most = 0;
  if (!(a.shape() == b.shape())) return std::nan("");
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double apart = std::abs(a.data()[i] - b.data()[i]);
    if (std::isnan(apart)) return apart;
    most = most < apart ? apart : most;
  }
  return most;
}

#ifdef STG_EVERY_PROGRAM
static double apart_over_steps(const stg::graph& graph, const stg::graph& there, const stg::tensor<float>& wanted) {
  stg::tensor<float> steps({6, graph.vertices(), 12});
  for (std::int64_t i = 0; i < steps.size(); ++i) steps.data()[i] = static_cast<float>(i % 11) / 5 - 1;
  auto params = stg::parameters<recurrence>();
  stg::initialize(params, 2);
  auto near = stg::value_and_grad<recurrence>()(graph, x = steps, goal = wanted, params);
  auto far = stg::value_and_grad<recurrence>(stg::cuda())(there, x = steps.to(stg::cuda()),
                                                          goal = wanted.to(stg::cuda()), params.to(stg::cuda()));
  const double apart = largest_difference(far.gradients[U].to(stg::host), near.gradients[U]) +
                       largest_difference(far.gradients[W].to(stg::host), near.gradients[W]);
  std::printf("6 steps of a recurrence on a GPU: apart by %.1e\n", apart);
  return apart;
}

static double apart_over_sets(const stg::graph& citations, const stg::tensor<float>& wanted) {
  stg::graphs sets;
  sets.add_vertices(author, 300).add_vertices(paper, citations.vertices()).add_edges(cites, citations);
  std::vector<std::int64_t> authors, papers;
  for (std::int64_t e = 0; e < 4000; ++e) {
    authors.push_back(e * 7 % 300);
    papers.push_back(e * 11 % citations.vertices());
  }
  sets.add_edges(writes, authors, papers);
  stg::tensor<float> of_authors({300, 8}), of_papers({citations.vertices(), 8});
  stg::uniform(of_authors, -1, 1, 5);
  stg::uniform(of_papers, -1, 1, 6);
  auto params = stg::parameters<of_two_sets>();
  stg::initialize(params, 7);
  auto near = stg::value_and_grad<of_two_sets>()(sets, known = of_authors, words = of_papers, topic = wanted, params);
  auto far = stg::value_and_grad<of_two_sets>(stg::cuda())(sets.to(stg::cuda()), known = of_authors.to(stg::cuda()),
                                                           words = of_papers.to(stg::cuda()),
                                                           topic = wanted.to(stg::cuda()), params.to(stg::cuda()));
  const double apart = largest_difference(far.gradients[U].to(stg::host), near.gradients[U]);
  std::printf("two vertex sets on a GPU: apart by %.1e\n", apart);
  return apart;
}
#endif

static int run() {
  constexpr std::int64_t vertices = 1000, edges = 30000;  // a vertex has 3000: a long row
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(e * 7919 % vertices);
    dst.push_back(e * e % vertices * e % vertices);
  }
  const auto graph = stg::graph::from_edges(vertices, src, dst);
  stg::tensor<float> rows({vertices, 12}), wanted({vertices, 8});
  for (std::int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i % 13) / 6 - 1;
  for (std::int64_t i = 0; i < wanted.size(); ++i) wanted.data()[i] = static_cast<float>(i % 5) / 4;
  auto weights = stg::parameters<loss>();
  stg::initialize(weights, 1);

  auto step = stg::value_and_grad<loss>();
  auto on_cpu = step(graph, h = rows, goal = wanted, weights);
  std::printf("on the CPU: loss %.6f\n", static_cast<double>(on_cpu.loss));
  if (!(on_cpu.loss > 0)) return 1;
  if (!stg::cuda::available()) {
    std::printf("on a GPU: not run: %s\n", stg::cuda::problem().c_str());
    return stg::cuda::problem().empty() ? 1 : 0;
  }

  const auto there = graph.to(stg::cuda());
#ifdef STG_EVERY_PROGRAM
  const double apart_scan = apart_over_steps(graph, there, wanted), apart_sets = apart_over_sets(graph, wanted);
#else  // nvcc takes 20 s for them, which it spends only where a device may be to run them
  const double apart_scan = 0, apart_sets = 0;
#endif
  const auto far_rows = rows.to(stg::cuda()), far_wanted = wanted.to(stg::cuda());
  const double apart_gathered =
      largest_difference(stg::compile<gathered>(stg::cuda())(there, h = far_rows).to(stg::host),
                         stg::compile<gathered>()(graph, h = rows));
  std::printf("first kernel on a GPU: apart by %.1e\n", apart_gathered);
  const auto far_weights = weights.to(stg::cuda());
  auto out = stg::compile<layer>(stg::cuda())(there, h = far_rows, far_weights).to(stg::host);
  auto far_step = stg::value_and_grad<loss>(stg::cuda());
  auto on_gpu = far_step(there, h = far_rows, goal = far_wanted, far_weights);
  const double apart = largest_difference(out, stg::compile<layer>()(graph, h = rows, weights)) +
                       largest_difference(on_gpu.gradients[W].to(stg::host), on_cpu.gradients[W]) +
                       largest_difference(on_gpu.gradients[from].to(stg::host), on_cpu.gradients[from]) +
                       largest_difference(on_gpu.gradients[to].to(stg::host), on_cpu.gradients[to]) +
                       std::abs(on_gpu.loss - on_cpu.loss);
  std::printf("on a GPU: loss %.6f, apart by %.1e\n", static_cast<double>(on_gpu.loss), apart);

  auto trained = weights.to(stg::cuda());
  stg::adam here(weights, {.learning_rate = 0.01}), far(trained, {.learning_rate = 0.01});
  for (int epoch = 0; epoch < 5; ++epoch) {
    here.step(step(graph, h = rows, goal = wanted, weights).gradients);
    far.step(far_step(there, h = far_rows, goal = far_wanted, trained).gradients);
  }
  const double apart_trained = largest_difference(trained[W].to(stg::host), weights[W]);
  std::printf("after 5 steps of Adam there: apart by %.1e\n", apart_trained);

  // A step that is recorded, once as it is and then as a CUDA graph that is launched three times.
  const stg::gpu::purpose why{"cuda_program"};
  auto recorder = stg::compile_for_training<loss>(stg::cuda());
  const auto one = stg::tensor<float>::full(stg::dimensions(), 1).to(stg::cuda());
  const auto epoch = [&] {
    auto tape = recorder.record(there, h = far_rows, goal = far_wanted, trained);
    far.step(tape.backward(one));
  };
  epoch();  // reserves what an epoch takes
  stg::gpu::stream on(stg::gpu::device::open(0, why));
  stg::gpu::captured_step captured(on, why, epoch);
  for (int launch = 0; launch < 3; ++launch) captured.launch();
  for (int more = 0; more < 4; ++more) here.step(step(graph, h = rows, goal = wanted, weights).gradients);
  const double apart_captured = largest_difference(trained[W].to(stg::host), weights[W]);
  std::printf("after 4 more, 3 of them captured: apart by %.1e\n", apart_captured);
  const bool agrees = apart_gathered < 1e-2 && apart < 1e-4 && apart_trained < 1e-3 && apart_captured < 1e-3 &&
                      apart_scan < 1e-4 && apart_sets < 1e-3;
  return agrees ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const std::exception& e) {  // what was said before it is said all the same
    std::printf("FAILED: %s\n", e.what());
    return 1;
  }
}
