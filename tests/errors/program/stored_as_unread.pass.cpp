// The twin of stored_as_unread.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(stg::stored_as<stg::bf16>(exp(v(x)))));
};
auto compiled = stg::compile<model>();
