// A function of a value alone for each value.
// build error: stg: for_each calls a function of a name and a value: \[\]\(std::string_view name, auto& w\) \{ \.\.\. \}
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto params = stg::parameters<loss>();
constexpr auto clear = [](auto& w) {
  w.fill(0);
};

void reset() {
  stg::for_each(params, clear);  // <- here
}
