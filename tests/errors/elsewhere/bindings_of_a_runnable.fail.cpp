// Bindings of a program that is a value.
// build error: stg: inputs of a program that is a value have names: run\(graph, \{\{"x", X\}, \{"W", params\[W\]\}\}\)
#include <stg/stg.hpp>

#include <stg/call/runnable.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 7>;

auto result(const stg::runnable& run, const stg::graph& graph, const stg::tensor<float>& X,
            const stg::tensor<float>& weights) {
  return run(graph, x = X, W = weights);  // <- here
}
