// A program that gives back a feature without reading it.
// build error: stg: a program returns computed values; read a feature first: return v\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return x;
};
auto layer = stg::compile<model>();  // <- here
