// A batch where its blocks belong.
// build error: stg: a call takes the blocks of a batch first, or its graph; write \(b\.blocks\(\), x = b\[X\], \.\.\.\)
#include <stg/stg.hpp>

#include <stg/sampling/batch.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto params = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

float train(const stg::batch& b, const stg::tensor<float>& X, const stg::tensor<std::int32_t>& Y) {
  return step(b, x = X, label = Y, params).loss;  // <- here
}
