// A set of parameters is assigned.
// build error: stg: a set is copied by clone\(\), auto copy = params\.clone\(\), and handed on as auto&
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto params = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

void keep(stg::parameters_of<loss>& best) {
  best = params;  // <- here
}
