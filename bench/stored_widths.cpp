// Epochs of GCN and GAT with all that they store in bf16, beside the same in f32: time and the plan's memory. Times are
// the processor's, of one thread, so that a busy machine counts less.
#include <stg/stg.hpp>  // the language

#include <cstdio>   // printf
#include <cstdlib>  // atoi
#include <ctime>    // clock_gettime
#include <string>   // string
#include <vector>   // vector

#include "graphs.hpp"  // named
#include "rounds.hpp"  // medians

namespace {

constexpr auto x = stg::vertex_feature<"x", 128>;
constexpr auto narrow_x = stg::vertex_feature<"x", stg::bf16, 128>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W1 = stg::parameter<"W1", 128, 128>;
constexpr auto b1 = stg::parameter<"b1", 128>;
constexpr auto W2 = stg::parameter<"W2", 128, 40>;
constexpr auto b2 = stg::parameter<"b2", 40>;
template <const auto& Features>
constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(Features), W1) + b1);                   // (128)
  return cross_entropy(stg::nn::gcn_conv(v, h, W2) + b2, v(label), v(known));  // (40)
};

constexpr auto U1 = stg::parameter<"U1", 128, 64>;
constexpr auto s1 = stg::parameter<"s1", 8, 8>;
constexpr auto t1 = stg::parameter<"t1", 8, 8>;
constexpr auto U2 = stg::parameter<"U2", 64, 40>;
constexpr auto s2 = stg::parameter<"s2", 1, 40>;
constexpr auto t2 = stg::parameter<"t2", 1, 40>;
template <const auto& Features>
constexpr auto gat = [](auto v) {
  auto h = elu(stg::reshape<64>(stg::nn::gat_conv(v, v(Features), U1, s1, t1)));  // (64)
  auto logits = stg::reshape<40>(stg::nn::gat_conv(v, h, U2, s2, t2));            // (40)
  return cross_entropy(logits, v(label), v(known));
};

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct training_data {
  stg::graph graph;
  stg::tensor<float> features;
  stg::tensor<stg::bfloat16> narrow;
  stg::tensor<std::int32_t> labels;
  stg::tensor<bool> train;
};
training_data drawn(const std::string& name) {
  training_data d{*graphs::named(name), {}, {}, {}, {}};
  const std::int64_t n = d.graph.vertices();
  d.features = stg::tensor<float>({n, 128});
  d.narrow = stg::tensor<stg::bfloat16>({n, 128});
  d.labels = stg::tensor<std::int32_t>({n});
  d.train = stg::tensor<bool>({n});
  stg::uniform(d.features, -1, 1, 1);
  for (std::int64_t k = 0; k < 128 * n; ++k) d.narrow.data()[k] = d.features.data()[k];
  for (std::int64_t v = 0; v < n; ++v) {
    d.labels(v) = static_cast<std::int32_t>(v * 7 % 40);
    d.train(v) = v % 2 == 0;
  }
  return d;
}

/// An epoch of a model, timed. What another left in caches and in the arena is not its own: so each runs twice.
template <const auto& Loss> struct epoch {
  const training_data& d;
  decltype(stg::parameters<Loss>()) params = stg::parameters<Loss>();
  decltype(stg::value_and_grad<Loss>()) step = stg::value_and_grad<Loss>();
  double loss = 0;

  explicit epoch(const training_data& given) : d(given) { stg::initialize(params, 1); }
  template <class Given> double seconds(const Given& features) {
    double before = 0;
    for (int k = 0; k < 2; ++k) {
      before = processor_time();
      loss = step(d.graph, features, label = d.labels, known = d.train, params).loss;
    }
    return processor_time() - before;
  }
  double bytes() const {
    const stg::sizes n{.vertices = d.graph.vertices(), .edges = d.graph.edges()};
    return static_cast<double>(stg::peak_bytes<Loss>(n).training);
  }
};

template <const auto& Wide, const auto& Narrow> void compare(const char* name, const training_data& d, int count) {
  epoch<Wide> wide(d);
  epoch<stg::with<Wide, stg::all_stored_as<stg::bf16>>> half(d);
  epoch<stg::with<Narrow, stg::all_stored_as<stg::bf16>>> all(d);
  const auto m =
      rounds::medians({{{"f32"}, [&] { return std::vector<double>{wide.seconds(x = d.features)}; }},
                       {{"bf16"}, [&] { return std::vector<double>{half.seconds(x = d.features)}; }},
                       {{"features too"}, [&] { return std::vector<double>{all.seconds(narrow_x = d.narrow)}; }}},
                      count);
  std::printf("%s: f32 %.1f ms %.1f MB loss %.5f\n", name, 1e3 * m[0].seconds, wide.bytes() / 1e6, wide.loss);
  const auto beside = [&](const char* what, double seconds, double bytes, double loss) {
    std::printf("  %-22s %7.1f ms %7.1f MB loss %.5f   %4.2f x faster, memory %4.2f x\n", what, 1e3 * seconds,
                bytes / 1e6, loss, m[0].seconds / seconds, bytes / wide.bytes());
  };
  beside("bf16", m[1].seconds, half.bytes(), half.loss);
  beside("bf16, features too", m[2].seconds, all.bytes(), all.loss);
}

}  // namespace

int main(int arguments, char** argument) {
  const std::string graph = arguments > 1 ? argument[1] : "arxiv_like";
  const int count = arguments > 2 ? std::atoi(argument[2]) : 11;
  stg::set_threads(1);
  const training_data d = drawn(graph);
#ifndef STG_ONLY_GAT
  compare<gcn<x>, gcn<narrow_x>>(("GCN, " + graph).c_str(), d, count);
#endif
#ifndef STG_ONLY_GCN
  compare<gat<x>, gat<narrow_x>>(("GAT, " + graph).c_str(), d, count);
#endif
}
