// test: calls, proof
// How tests' bodies are brought to a device and back, on a fake of CUDA that the emulator runs kernels for: a layer
// with most kinds of loops, one whose features are sparse, and rows that are cut into parts.
#define STG_ON_FAKE_DEVICE
#include "../run/expect_error.hpp"           // expect_error
#include "../run/support/backend_check.hpp"  // check_sample
#include "../run/support/cuda_on_host.hpp"   // cuda_on_host
#include "../run/support/layers.hpp"         // pna

#include <stg/codegen/cuda/update.hpp>  // updates_of
#include <stg/runtime/cuda/stream.hpp>  // captured_step

#include <cmath>   // abs
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
  ~tests_on_a_device() override { gpu::install_updates(before_); }

 private:
  const gpu::update_functions* before_ = gpu::install_updates(&gpu::updates_of<test::emulated_launcher>);
};

TEST_F(tests_on_a_device, give_what_the_interpreter_gives) {
  for (const test::family& f : test::families()) test::check_sample<layers::pna>("pna", f.graph, f.name);
}
TEST_F(tests_on_a_device, bring_sparse_features) {
  for (const test::family& f : test::families()) test::check_sample<sparse_layer>("sparse_layer", f.graph, f.name);
}

/// What records a program on the fake.
template <const auto& F>
using recorder = trainer<ref<F>, detail::all_real_outputs<ref<F>>, detail::trainable_entries<ref<F>>,
                         gpu::device_backend<test::emulated_launcher>>;

tensor<float> periodic(const dimensions& shape, int period) {
  tensor<float> t(shape);
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>(i % period) / 7 - 0.6f;
  return t;
}
tensor<float> brought(const float* there, const dimensions& shape) {
  return tensor<float>::view_of(const_cast<float*>(there), shape, cuda()).to(host);
}

constexpr auto h = vertex_feature<"h", 12>;
constexpr auto goal = vertex_feature<"goal", 8>;
constexpr auto U = parameter<"U", 12, 8>;
constexpr auto from = parameter<"from", 2, 4>;
constexpr auto to = parameter<"to", 2, 4>;
constexpr auto loss = [](auto v) { return mse(reshape<8>(nn::gat_conv(v, dropout(v(h), 0.5), U, from, to)), v(goal)); };

TEST_F(tests_on_a_device, can_capture_an_epoch) {
  recorder<loss> layer;
  const graph g = test::power_law(50, 300, 4).to(cuda());
  auto weights = parameters<loss>();
  initialize(weights, 3);
  const auto there_rows = periodic({50, 12}, 11).to(cuda()), there_wanted = tensor<float>({50, 8}).to(cuda());
  const auto there = weights.to(cuda());
  const auto one = tensor<float>::full(dimensions(), 1).to(cuda());
  const float* gradient = nullptr;
  const auto epoch = [&] {
    auto tape = layer.record(g, h = there_rows, goal = there_wanted, there);
    gradient = tape.backward(one)[U].data();
  };
  const auto gradient_now = [&] {
    const auto t = brought(gradient, {12, 8});
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
  step.launch();
  EXPECT_NE(gradient_now(), launched);  // other random numbers
}

/// Linear in h: whatever numbers are kept, <y, g> = <h, gradient of h by g> when forward and gradient keep the same.
constexpr auto state = trainable(vertex_feature<"h", 12>);
constexpr auto dropped = [](auto v) { return dropout(v(state), 0.5) + sum(dropout(v.in_edges().src(state), 0.5)); };

TEST_F(tests_on_a_device, draw_anew_in_each_launch_of_a_step_and_the_same_in_its_gradient) {
  recorder<dropped> layer;
  const graph g = test::power_law(50, 300, 4).to(cuda());
  const auto rows = periodic({50, 12}, 11), weights = periodic({50, 12}, 13);
  const auto there = rows.to(cuda()), weights_there = weights.to(cuda());
  const float *output = nullptr, *gradient = nullptr;
  const auto step = [&] {
    auto tape = layer.record(g, state = there);
    output = tape.output<0>().data();
    gradient = tape.backward(weights_there)[state].data();
  };
  const auto product = [](const tensor<float>& a, const float* there) {
    const auto b = brought(there, {50, 12});
    double sum = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) sum += double{a.data()[i]} * b.data()[i];
    return sum;
  };
  step();
  gpu::stream on(gpu::device::open(0));
  gpu::captured_step captured(on, {"step"}, step);
  std::vector<double> products;
  for (int launch = 0; launch < 4; ++launch) {
    captured.launch();
    products.push_back(product(weights, output));
    EXPECT_NEAR(products.back(), product(rows, gradient), 1e-3) << launch;
  }
  for (std::size_t k = 1; k < products.size(); ++k) EXPECT_GT(std::abs(products[k] - products[k - 1]), 0.1) << k;

  auto outside = layer.record(g, state = there);
  test::expect_error([&] { gpu::captured_step(on, {"step"}, [&] { outside.backward(weights_there); }); },
                     {"this tape was recorded in another captured step, or in none"});
}

}  // namespace
}  // namespace stg
