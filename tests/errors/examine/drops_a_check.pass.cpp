// The twin of drops_a_check.fail.cpp.
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 3>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label));
};
constexpr auto changed = [](const stg::ir::program& p) {
  return stg::examine::transform(p, [](const auto& one) {
    return one.same();
  });
};
auto compiled = stg::compile<model, changed>();
