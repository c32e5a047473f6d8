// The twin of full_of_negative.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return v(h0) + stg::full<8>(v, 0.5);
};
auto compiled = stg::compile<model>();
