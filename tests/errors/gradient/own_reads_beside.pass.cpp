// The twin of own_reads_beside.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return tanh(h);
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, matmul(v(x), W));
};
auto compiled = stg::compile<model>();
