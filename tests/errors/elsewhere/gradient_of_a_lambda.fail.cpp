// The gradient of a lambda as a program.
// build error: stg: differentiate takes a program: stg::differentiate\(stg::as_program<model>\(\), \{0\}\)
#include <stg/stg.hpp>

#include <stg/differentiate.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 7>;
inline constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

auto gradient([[maybe_unused]] const stg::ir::program& p) {
  return stg::differentiate(model, {0});  // <- here
}
