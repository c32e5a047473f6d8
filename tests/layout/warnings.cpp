// What a user's own warnings say about the headers, as programs are instantiated: nothing, with every one of them on
// (CMakeLists.txt) and stg's headers found by -I. Names that users like stand here as globals, since g++ also compares
// them with what a header declares in a template.
#include <stg/data/checkpoint.hpp>     // save, load
#include <stg/data/dataset.hpp>        // load_dataset
#include <stg/data/edge_list.hpp>      // read_edge_list
#include <stg/data/karate.hpp>         // karate_club
#include <stg/data/npy.hpp>            // read_npy
#include <stg/data/search.hpp>         // find_dataset
#include <stg/data/split.hpp>          // random_split
#include <stg/data/table.hpp>          // read_table
#include <stg/eigen.hpp>               // as_eigen
#include <stg/examine.hpp>             // as_program
#include <stg/rules.hpp>               // without_zeros
#include <stg/runtime/accuracy.hpp>    // accuracy
#include <stg/runtime/metrics.hpp>     // roc_auc
#include <stg/runtime/self_loops.hpp>  // remove_self_loops
#include <stg/stg.hpp>                 // the language

struct anything {};
inline constexpr anything a, b, c, d, e, f, g, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, G, H, X, Y, src, dst,
    from, to, on, at, known, mask, weight, bias, norm, degree, value, name, size, list, sizes, rows, count, out, data,
    model, layer, step, loss, graph, club, params, optimizer, seed, epoch;

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto h = stg::vertex_feature<"h", stg::extent<"F">>;
inline constexpr auto ew = stg::edge_feature<"ew", 1>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 34, 8>;
inline constexpr auto U = stg::parameter<"U", stg::extent<"F">, 8>;
inline constexpr auto A = stg::parameter<"A", 16, 1>;
inline constexpr auto V = stg::parameter<"V", 16, 2>;

inline constexpr auto attention = [](auto vertex) {
  auto mixed = stg::concat<stg::axis<0>>(matmul(dropout(vertex(x), 0.5), W), tanh(matmul(vertex(h), U)));
  auto edges = vertex.in_edges();
  auto score = leaky_relu(edges.src(matmul(mixed, A)) + edges(ew), 0.2);
  return matmul(sum(softmax(score) * edges.src(mixed)) + max(edges.src(mixed)), V);
};
inline constexpr auto mean_loss = [](auto vertex) { return cross_entropy(attention(vertex), vertex(label)); };

int main() {
  if (stg::examine::users(stg::as_program<attention>()).uses(0) == 0) return 1;
  if (stg::rules::factors_out_of_sums(stg::rules::without_zeros(stg::as_program<attention>())).size() == 0) return 1;
  auto karate = stg::karate_club();
  const auto wide = stg::tensor<float>::full({34, 5}, 1.0F);
  const auto one = karate.graph.edge_values(stg::tensor<float>::full({karate.graph.edges(), 1}, 1.0F));
  auto trained = stg::parameters<mean_loss>(stg::sized<"F">(5));
  stg::initialize(trained, 0);
  stg::adam adam(trained, {.learning_rate = 0.01});
  auto training = stg::value_and_grad<mean_loss>();
  auto now =
      training(karate.graph, x = stg::fixed(karate.features), h = wide, ew = one, label = karate.labels, trained);
  adam.step(now.gradients);
  auto logits = stg::compile<attention>()(karate.graph, x = karate.features, h = wide, ew = one, trained);
  return stg::accuracy(logits, karate.labels, karate.train) >= 0 ? 0 : 1;
}
