// How tests' bodies are brought to a device and back, on a fake of CUDA that the emulator runs kernels for: a layer
// with most kinds of loops, one whose features are sparse, and rows that are cut into parts.
#define STG_ON_FAKE_DEVICE
#include "../run/support/backend_check.hpp"  // check_sample
#include "../run/support/cuda_on_host.hpp"   // cuda_on_host
#include "../run/support/layers.hpp"         // pna

#include <stg/runtime/cuda/stream.hpp>  // captured_step

#include <vector>  // vector

namespace stg {
namespace {

constexpr auto words = sparse_feature<"words", f64, 7>;
constexpr auto W = parameter<"W", f64, 7, 4>;
constexpr auto sparse_layer = [](auto v) { return nn::gcn_conv(v, v(words), W); };

struct tests_on_a_device : test::cuda_on_host {
  tests_on_a_device() {
    test::emulated_launcher::on = &fake;
    test::emulated_launcher::options.checks = emulator::checks::none();  // of kernels others look at
    test::backend::long_row_edges = 5;
  }
};

TEST_F(tests_on_a_device, give_what_the_interpreter_gives) {
  for (const test::family& f : test::families()) test::check_sample<layers::pna>("pna", f.graph, f.name);
}
TEST_F(tests_on_a_device, bring_sparse_features) {
  for (const test::family& f : test::families()) test::check_sample<sparse_layer>("sparse_layer", f.graph, f.name);
}

constexpr auto h = vertex_feature<"h", 12>;
constexpr auto goal = vertex_feature<"goal", 8>;
constexpr auto U = parameter<"U", 12, 8>;
constexpr auto from = parameter<"from", 2, 4>;
constexpr auto to = parameter<"to", 2, 4>;
constexpr auto loss = [](auto v) { return mse(reshape<8>(nn::gat_conv(v, dropout(v(h), 0.5), U, from, to)), v(goal)); };

TEST_F(tests_on_a_device, can_capture_an_epoch) {
  using program = ref<loss>;
  trainer<program, detail::all_real_outputs<program>, detail::trainable_entries<program>,
          gpu::device_backend<test::emulated_launcher>>
      layer;
  const graph g = test::power_law(50, 300, 4).to(cuda());
  tensor<float> rows({50, 12}), wanted({50, 8});
  for (std::int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i % 11) / 7 - 0.6f;
  auto weights = parameters<loss>();
  initialize(weights, 3);
  const auto there_rows = rows.to(cuda()), there_wanted = wanted.to(cuda());
  const auto there = weights.to(cuda());
  const auto one = tensor<float>::full(dimensions(), 1).to(cuda());
  const float* gradient = nullptr;
  const auto epoch = [&] {
    auto tape = layer.record(g, h = there_rows, goal = there_wanted, there);
    gradient = tape.backward(one)[U].data();
  };
  const auto gradient_now = [&] {
    const auto t = tensor<float>::view_of(const_cast<float*>(gradient), {12, 8}, cuda()).to(host);
    return std::vector<float>(t.begin(), t.end());
  };

  epoch();  // takes the memory that an epoch takes
  const std::vector<float> launched = gradient_now();
  epoch();  // other random numbers
  EXPECT_NE(gradient_now(), launched);
  layer.seed(0);
  gpu::stream on(gpu::device::open(0));
  gpu::captured_step step(on, {"epoch"}, epoch);
  EXPECT_NE(gradient_now(), launched);  // nothing has run
  step.launch();
  EXPECT_EQ(gradient_now(), launched);
}

}  // namespace
}  // namespace stg
