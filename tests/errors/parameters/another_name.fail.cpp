// A parameter that the program does not have.
// build error: stg: the set has no value of this name; index it by a symbol that the program trains or returns
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
inline void clear() {
  auto params = stg::parameters<model>();
  params[b].fill(0);  // <- here
}
