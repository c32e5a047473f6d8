// test: programs
// Operations of a user's own as CUDA kernels: attention whose scores one of them holds, its gradient and a penalty on
// its gradient; in the proof the sample of operations of one, two and three values too.
#include "support/backend_check.hpp"   // check_sample
#include "support/own_operations.hpp"  // softcap

#include <stg/elementwise.hpp>  // apply

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 3>);
constexpr auto y = trainable(vertex_feature<"y", f64, 3>);
constexpr auto cap = parameter<"positive_cap", f64>;

constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto scores = apply<test::softcap>(sum(e.src(x) * e.dst(y), axis<0>), cap);
  return sum(softmax(scores) * e.src(x));
};
constexpr auto penalty = [](auto v) {
  auto total = sum(sum(apply<test::softcap>(v(x) * v(y), cap), axis<0>), all_vertices);
  return outputs(square(gradient(total, v(x))), gradient(total, v(cap)));
};

TEST(own_operations, in_attention_and_its_gradient) {
  for (const test::family& f : test::families()) test::check_sample<attention>("attention", f.graph, f.name);
}
TEST(own_operations, in_gradients_of_gradients) {
  for (const test::family& f : test::families()) test::check_sample<penalty>("penalty", f.graph, f.name);
}

}  // namespace
}  // namespace stg
