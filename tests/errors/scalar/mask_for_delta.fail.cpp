// A mask where huber has its delta.
// build error: stg: huber takes a number, known while compiling: huber\(y, v\(target\), 1\.0, v\(mask\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto model = [](auto v) {
  return huber(v(x), v(y), v(known));  // <- here
};
auto compiled = stg::compile<model>();
