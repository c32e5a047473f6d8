// A program without a return.
// build error: stg: a program returns computed values; read a feature first: return v\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  relu(v(x));
};
auto layer = stg::compile<model>();  // <- here
