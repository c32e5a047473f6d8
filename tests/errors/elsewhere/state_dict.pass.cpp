// The twin of state_dict.fail.cpp.
#include <stg/stg.hpp>

#include <stg/data/checkpoint.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();

void keep() { stg::save_parameters(params, "folder"); }
