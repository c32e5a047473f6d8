// Parameters as the result of a function.
// build error: stg: load_parameters reads into a set that there is: load_parameters\(params, "folder"\)
#include <stg/stg.hpp>

#include <stg/data/checkpoint.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();

void go_on() {
  params = stg::load_parameters("run");  // <- here
}
