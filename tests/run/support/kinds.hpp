// Two vertex sets and three relations, a small graph of them, and programs over it.
#pragma once

#include <stg/nn/conv.hpp>         // sage_conv, gat_conv, rgcn_conv
#include <stg/runtime/graphs.hpp>  // graphs
#include <stg/stg.hpp>             // vertex_set, relation

#include <utility>  // pair
#include <vector>   // vector

namespace stg::kinds {

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto reviews = relation<"reviews", author, paper>;

inline constexpr auto a = author.feature<"a", f64, 3>;
inline constexpr auto b = paper.feature<"b", f64, 2>;
inline constexpr auto same = paper.feature<"same", f64, 3>;
inline constexpr auto w = writes.feature<"w", f64>;
inline constexpr auto age = trainable(paper.feature<"age", f64>);
inline constexpr auto A = parameter<"A", f64, 3, 4>;
inline constexpr auto B = parameter<"B", f64, 2, 4>;
inline constexpr auto C = parameter<"C", f64, 2, 4>;
inline constexpr auto D = parameter<"D", f64, 3, 4>;
inline constexpr auto s = parameter<"s", f64, 2, 2>;
inline constexpr auto d = parameter<"d", f64, 2, 2>;
inline constexpr auto V = parameter<"V", f64, 2, 3, 4>;
inline constexpr auto c = parameter<"c", f64, 2>;

using pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Parallel edges, authors of nothing (3) and a paper that nobody wrote (4); a loop and a hub among citations.
inline constexpr int authors = 4, papers = 6;
inline const pairs writing = {{0, 0}, {1, 0}, {2, 1}, {2, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}, {2, 5}};
inline const pairs citing = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {0, 1}, {2, 2}, {3, 4}};
inline const pairs reviewing = {{3, 0}, {3, 1}, {1, 5}};

inline std::vector<std::int64_t> ends(const pairs& edges, bool sources) {
  std::vector<std::int64_t> all;
  for (const auto& [from, to] : edges) all.push_back(sources ? from : to);
  return all;
}
/// The edges above are sorted by destination: the order of their ids.
inline graphs small() {
  graphs g;
  g.add_vertices(author, authors).add_vertices(paper, papers);
  g.add_edges(writes, ends(writing, true), ends(writing, false));
  g.add_edges(cites, ends(citing, true), ends(citing, false));
  g.add_edges(reviews, ends(reviewing, true), ends(reviewing, false));
  return g;
}

inline constexpr auto weighted_sum = [](auto g) {
  auto e = g(paper).in_edges(writes);
  return sum(e(w) * e.src(g(author)(a)));
};
/// Along out-edges, and back: two hops that end where they began.
inline constexpr auto there_and_back = [](auto g) {
  auto p = g(paper);
  auto u = g(author);
  auto here = mean(p.in_edges(writes).src(u(a)));
  return max(u.out_edges(writes).dst(here));
};
template <nn::aggregate How>
inline constexpr auto sage =
    [](auto g) { return nn::sage_conv<How>(g(paper).in_edges(writes), g(author)(a), g(paper)(b), B, A); };
inline constexpr auto sage_of_authors = [](auto g) {
  return nn::sage_conv(g(author).out_edges(writes), g(paper)(b), g(author)(a), A, B);
};
inline constexpr auto gin = [](auto g) {
  return nn::gin_conv(g(paper).in_edges(writes), g(author)(a), g(paper)(same), A, 0.5);
};
inline constexpr auto gat = [](auto g) {
  return nn::gat_conv(g(paper).in_edges(writes), g(author)(a), g(paper)(b), A, B, s, d);
};
inline constexpr auto gatv2 = [](auto g) {
  return nn::gatv2_conv(g(author).out_edges(writes), g(paper)(b), g(author)(a), B, A, s);
};
inline constexpr auto rgcn = [](auto g) {
  auto p = g(paper);
  return nn::rgcn_conv(p(b), B, nn::mean_over(p.in_edges(writes), g(author)(a), A),
                       nn::mean_over(p.in_edges(cites), p(b), C),
                       nn::mean_over(p.in_edges(reviews), g(author)(a), nn::basis_matrix(c, V)));
};
template <nn::aggregate How>
inline constexpr auto across = [](auto g) {
  auto p = g(paper);
  return nn::across_relations<How>(sum(p.in_edges(writes).src(matmul(g(author)(a), A))),
                                   sum(p.in_edges(cites).src(matmul(p(b), B))),
                                   sum(p.in_edges(reviews).src(matmul(g(author)(a), D))));
};
/// A state of papers, which goes by their authors and by what cites them.
inline constexpr auto repeated = [](auto g) {
  return scan<2>(
      g,
      [](auto g, auto h) {
        auto p = g(paper);
        auto of_authors = mean(g(author).out_edges(writes).dst(h));
        return next(tanh(p(b) + mean(p.in_edges(cites).src(h)) + sum(p.in_edges(writes).src(of_authors))));
      },
      zeros<f64, 2>(g(paper)));
};
/// Degrees by relation, numbers of vertices of both sets, a readout of each, and edge values of a relation.
inline constexpr auto counts = [](auto g) {
  auto p = g(paper);
  auto u = g(author);
  auto degrees = p.template in_degree<f64>(writes) + 10.0 * p.template in_degree<f64>(cites) +
                 100.0 * p.template out_degree<f64>(cites);
  auto written = u.template out_degree<f64>(writes);
  auto all = p.template vertex_count<f64>() + 100.0 * u.template vertex_count<f64>();
  auto e = p.in_edges(writes);
  return outputs(degrees * p(age), written, all * mean(p(age), all_vertices), max(u(a), all_vertices),
                 e.src(sum(u(a), axis<0>)) + p(age), mean(e(w), all_edges));
};

/// A recurrence of papers that is trained: attention, a mean of a relation, and dropout of the rows of a set and of
/// the edges of a relation, anew at each step.
inline constexpr auto trained = [](auto g) {
  auto of_steps = scan<2>(
      g,
      [](auto g, auto h) {
        auto p = g(paper);
        auto e = p.in_edges(writes);
        auto heard = sum(dropout(e(w), 0.4) * e.src(matmul(dropout(g(author)(a), 0.3), A)));
        auto c = p.in_edges(cites);
        auto near = sum(softmax(sum(c.src(h) * c.dst(h), axis<0>)) * c.src(h));
        return next(tanh(heard + near + matmul(p(b), B) / (1.0 + p.template in_degree<f64>(reviews))));
      },
      zeros<f64, 4>(g(paper)));
  return of_steps * g(paper)(age);
};

/// Calls f<lambda>(name) for every one of them.
template <class F> void for_each_program(const F& f) {
#define STG_PROGRAM(...) f.template operator()<__VA_ARGS__>(#__VA_ARGS__);
  STG_PROGRAM(weighted_sum)
  STG_PROGRAM(there_and_back)
  STG_PROGRAM(sage<nn::aggregate::sum>)
  STG_PROGRAM(sage<nn::aggregate::mean>)
  STG_PROGRAM(sage<nn::aggregate::max>)
  STG_PROGRAM(sage_of_authors)
  STG_PROGRAM(gin)
  STG_PROGRAM(gat)
  STG_PROGRAM(gatv2)
  STG_PROGRAM(rgcn)
  STG_PROGRAM(across<nn::aggregate::sum>)
  STG_PROGRAM(across<nn::aggregate::mean>)
  STG_PROGRAM(across<nn::aggregate::max>)
  STG_PROGRAM(repeated)
  STG_PROGRAM(counts)
  STG_PROGRAM(trained)
#undef STG_PROGRAM
}

}  // namespace stg::kinds
