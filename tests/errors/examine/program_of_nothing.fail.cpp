// The program of a lambda that returns nothing.
// build error: stg: a program returns computed values; read a feature first: return v\(x\)
#include <stg/stg.hpp>
#include <stg/examine.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto model = [](auto v) {
  relu(v(x));
};
auto made = stg::as_program<model>();  // <- here
