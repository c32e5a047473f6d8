// What gdb is to show: tensors, a program, its constant, and a value while a lambda is traced. Prints what it knows
// itself.
#include <stg/dsl/outputs.hpp>     // outputs
#include <stg/dsl/scope.hpp>       // scope, named
#include <stg/dsl/symbol.hpp>      // vertex_feature, parameter
#include <stg/dsl/trace.hpp>       // trace, traced
#include <stg/ir/print.hpp>        // to_text
#include <stg/op/list.hpp>         // the operators
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdio>  // puts

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W = stg::parameter<"W", stg::extent<"F">, 4>;
inline constexpr auto V = stg::parameter<"V", 8, 2 * stg::extent<"C">>;

static void look(const auto& value) { std::puts(value.id >= 0 ? "traced" : "nothing"); }

inline constexpr auto attention = [](auto v, auto h) {
  auto e = v.in_edges();
  auto score = stg::named<"score">(leaky_relu(e.src(sum(h, stg::axis<0>)), 0.2));
  return stg::concat<stg::axis<0>>(sum(softmax(score) * e.src(h)), max(e.src(h)) * 1e-5 + 100000.0);
};
inline constexpr auto model = [](auto v) {
  return matmul(stg::scope<"conv1">(v, attention, matmul(dropout(v(x), 0.5), W)), V);
};
inline constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
inline constexpr auto small = [](auto v) { return sum(v.in_edges().src(x)); };

static void stop() { std::puts("stop"); }

int main() {
  stg::tensor<float> matrix({2, 3}), wide({30, 30}), none({0, 3});
  for (int i = 0; i < 6; ++i) matrix.data()[i] = static_cast<float>(i) / 2;
  wide.fill(1.5F);
  stg::tensor<std::int32_t> ids({2});
  ids.data()[0] = 7, ids.data()[1] = -1;
  stg::tensor<stg::bfloat16> halves({1, 2});
  halves.fill(0.5F);
  const stg::ir::program program = stg::trace(loss);
  const auto& constant = stg::traced<small>::value;
  std::puts(stg::ir::to_text(program).c_str());
  std::puts(stg::ir::to_text(constant.thaw()).c_str());
  const stg::tensor<float>& alias = matrix;
  stg::tracer tracer;
  const stg::vertex_view v{&tracer};
  const auto traced = sum(v.in_edges().src(v(x)));
  look(traced);
  stop();
  return wide.extent(0) + none.extent(1) + ids.extent(0) + alias.extent(0) == 37 ? 0 : 1;
}
