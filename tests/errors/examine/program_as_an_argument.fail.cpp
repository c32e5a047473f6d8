// A lambda as an argument where its program is asked for.
// build error: stg: as_program takes the lambda as a template argument: stg::as_program<model>\(\)
#include <stg/stg.hpp>

#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
const auto program = stg::as_program(loss);  // <- here
