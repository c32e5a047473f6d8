// How tests' bodies are brought to a device and back, on a fake of CUDA that the emulator runs kernels for: a layer
// with most kinds of loops, one whose features are sparse, and rows that are cut into parts.
#define STG_ON_FAKE_DEVICE
#include "../run/support/backend_check.hpp"  // check_sample
#include "../run/support/cuda_on_host.hpp"   // cuda_on_host
#include "../run/support/layers.hpp"         // pna

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

}  // namespace
}  // namespace stg
