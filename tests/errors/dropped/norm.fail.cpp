// A norm that nobody reads.
// build error: stg: this number is dropped, and nothing else was done: const double n = norm\(set\)
// flags: -Wno-error -Werror=unused-result
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto logits = [](auto v) {
  return matmul(v(x), W);
};
constexpr auto loss = [](auto v) {
  return mean(sum(logits(v), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();

auto work() {
  stg::norm(params);  // <- here
}
