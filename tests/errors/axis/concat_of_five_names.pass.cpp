// The twin of concat_of_five_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto a = stg::vertex_feature<"a", stg::extent<"A">>;
constexpr auto b = stg::vertex_feature<"b", stg::extent<"B">>;
constexpr auto c = stg::vertex_feature<"c", stg::extent<"C">>;
constexpr auto d = stg::vertex_feature<"d", stg::extent<"D">>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(a), v(b), v(c), v(d));
};
auto compiled = stg::compile<model>();
