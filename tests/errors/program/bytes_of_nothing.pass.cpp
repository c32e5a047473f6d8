// The twin of bytes_of_nothing.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto made = stg::peak_bytes<model>({.vertices = 2});
