// Four named axes made one.
// build error: stg: reshape counts sums of at most four products of three names; give a part its own
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::extent<"A">, stg::extent<"B">, stg::extent<"C">, stg::extent<"D">>;
constexpr auto model = [](auto v) {
  return stg::reshape<stg::extent<"A">, stg::extent<"N">>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
