// The parameters of a compiled model.
// build error: stg: a model has no parameters of its own; make them: auto params = stg::parameters<model>\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::compile<loss>().parameters();  // <- here
