// The twin of tag_beyond_rank.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return stg::tag<"head">(exp(v(h)), stg::axis<0>);
};
auto compiled = stg::compile<model>();
