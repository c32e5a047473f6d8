// The twin of divide.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return v(h) / sum(v(h), stg::axis<1>, stg::keepdim);
};
auto compiled = stg::compile<model>();
