// The twin of another_name.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
inline void clear() {
  auto params = stg::parameters<model>();
  params[W].fill(0);
}
