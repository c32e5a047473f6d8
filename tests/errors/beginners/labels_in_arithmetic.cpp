// A label in arithmetic with real numbers.
// names: label
// or: operator-
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto model = [](auto v) {
  return v(x) - v(label);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
