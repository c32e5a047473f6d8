// one_hot of a symbol.
// build error: stg: one_hot takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<7>(label);  // <- here
};
auto compiled = stg::compile<model>();
