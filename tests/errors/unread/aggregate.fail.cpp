// An aggregate of a symbol.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: argmax argmin log_sum_exp max mean min prod softmax stddev var
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(x);  // <- here
};
auto compiled = stg::compile<model>();
