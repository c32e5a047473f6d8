// The twin of bindings_of_a_runnable.fail.cpp.
#include <stg/stg.hpp>

#include <stg/call/runnable.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 7>;

auto result(const stg::runnable& run, const stg::graph& graph, const stg::tensor<float>& X,
            const stg::tensor<float>& weights) {
  return run(graph, {{"x", X}, {"W", weights}});
}
