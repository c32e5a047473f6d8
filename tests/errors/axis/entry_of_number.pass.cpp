// The twin of entry_of_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x)[1];
};
auto compiled = stg::compile<model>();
