// The twin of pass_without_return.fail.cpp.
#include <stg/examine.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
inline constexpr auto by_nothing = [](const stg::ir::program& p) {
  return p;
};
inline constexpr auto silent = [](const stg::ir::program&) {
};
auto compiled = stg::compile<model, by_nothing>();
