// The twin of loaded_as_a_result.fail.cpp.
#include <stg/stg.hpp>

#include <stg/data/checkpoint.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();

void go_on() { stg::load_parameters(params, "run"); }
