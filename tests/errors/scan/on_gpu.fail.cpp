// A scan on a GPU.
// build error: stg: a scan runs on the CPU; compile its program there: stg::compile<model>\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return tanh(h + v(x));
      },
      stg::zeros<8>(v));
};
auto layer = stg::compile<model>(stg::cuda());  // <- here
