// A program rewritten for nothing.
// build error: stg: this program is dropped, and p is as it was: auto q = rewrite\(p, rule\)
// flags: -Wno-error -Werror=unused-result
#include <stg/stg.hpp>
#include <stg/examine.hpp>
#include <stg/rewrite.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
constexpr auto once = stg::rewrite_rule(
    [](auto, auto a) {
      return relu(relu(a));
    },
    [](auto, auto a) {
      return relu(a);
    });

auto work() {
  stg::examine::rewrite(stg::as_program<model>(), once);  // <- here
}
