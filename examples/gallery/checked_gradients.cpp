// Are the gradients right? Compared with what happens when a number is moved a little.
#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/data/karate.hpp>           // karate_club
#include <stg/stg.hpp>                   // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 3>;
inline constexpr auto W = stg::parameter<"W", 3, 4>;
inline constexpr auto energy = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(matmul(v(x), W));
  auto share = softmax(sum(e.src(h) * e.dst(h), stg::axis<0>));
  return mean(sum(square(sum(share * e.src(h))), stg::axis<0>), stg::all_vertices);
};

int main() {
  const auto graph = stg::karate_club().graph;
  stg::tensor<float> X({34, 3});
  stg::uniform(X, -1, 1, 1);
  auto params = stg::parameters<energy>();
  stg::initialize(params, 2);
  const auto check = stg::check_gradients<energy>(graph, x = X, params);
  std::printf("gradients are right: %s\n", check ? "yes" : "no");
}

// last line: gradients are right: yes
