// Features of five named widths, one after the other.
// build error: stg: concat makes an extent of at most four parts; give some of them a name together
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto a = stg::vertex_feature<"a", stg::extent<"A">>;
constexpr auto b = stg::vertex_feature<"b", stg::extent<"B">>;
constexpr auto c = stg::vertex_feature<"c", stg::extent<"C">>;
constexpr auto d = stg::vertex_feature<"d", stg::extent<"D">>;
constexpr auto e = stg::vertex_feature<"e", stg::extent<"E">>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(a), v(b), v(c), v(d), v(e));  // <- here
};
auto compiled = stg::compile<model>();
