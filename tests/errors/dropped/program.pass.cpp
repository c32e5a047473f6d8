// The twin of program.fail.cpp.
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

auto work() { return stg::examine::rewrite(stg::as_program<model>(), once); }
