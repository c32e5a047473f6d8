// A lambda between the brackets.
// build error: stg: a program is a constant with a name; write static constexpr auto model = \.\.\., or constexpr outside
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
// clang-format off
auto layer = stg::compile<[](auto v) { return relu(v(x)); }>();  // <- here
