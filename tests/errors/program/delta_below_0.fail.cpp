// A huber without a part that is a square.
// build error: stg: huber takes a delta above 0, from which on the loss is a line: huber\(y, v\(t\), 1\.0\)
// names: huber
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t">;
constexpr auto model = [](auto v) {
  return huber(sum(v(x), stg::axis<0>), v(t), -1.0);
};
auto compiled = stg::compile<model>();  // <- here
