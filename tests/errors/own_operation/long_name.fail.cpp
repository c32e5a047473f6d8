// The name of an operation is too long.
// build error: stg: an operation's name begins with a letter and has up to 12 of a to z, 0 to 9, _
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube_of_a_number", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<cube>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
