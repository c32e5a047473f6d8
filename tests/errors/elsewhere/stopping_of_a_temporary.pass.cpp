// The twin of stopping_of_a_temporary.fail.cpp.
#include <stg/stg.hpp>

#include <stg/runtime/early_stopping.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::early_stopping stopping(params);
