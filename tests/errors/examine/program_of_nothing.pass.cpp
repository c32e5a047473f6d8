// The twin of program_of_nothing.fail.cpp.
#include <stg/stg.hpp>
#include <stg/examine.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto made = stg::as_program<model>();
