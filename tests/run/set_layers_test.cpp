// test: draft layers
// Readouts along a relation, HAN and HGT: the oracle against dense references, gradients against central differences,
// and drafts, forward and in a step, against both.
#include "support/backend_check.hpp"     // check_sample
#include "support/differences.hpp"       // check_gradients
#include "support/inputs.hpp"            // random_inputs
#include "support/references/given.hpp"  // matrix, named_matrices
#include "support/set_layers.hpp"        // for_each_layer
#include "support/trains.hpp"            // expect_trains

#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/codegen/draft/made.hpp>    // inferred
#include <stg/pass/cse.hpp>              // cse
#include <stg/pipeline.hpp>              // canonical

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // stable_sort, min
#include <cmath>        // exp, expm1, tanh, erf, isfinite
#include <functional>   // function
#include <map>          // map
#include <set>          // set
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {
namespace {

using oracle::array;
using references::matrix;

/// Inputs as matrices.
struct given : references::named_matrices {
  matrix x() const { return (*this)("x", kinds::authors, 3); }
  matrix y() const { return (*this)("y", kinds::papers, 4); }
};

/// For each vertex that is read out for, the other ends of its edges, parallel ones again.
using members = std::vector<std::vector<int>>;
members ends_of(const kinds::pairs& edges, int owners, bool at_destination) {
  members m(static_cast<std::size_t>(owners));
  for (const auto& [from, to] : edges)
    m[static_cast<std::size_t>(at_destination ? to : from)].push_back(static_cast<int>(at_destination ? from : to));
  return m;
}
const members authors_of = ends_of(kinds::writing, kinds::papers, true);
const members citing_ones = ends_of(kinds::citing, kinds::papers, true);
const members reviewers_of = ends_of(kinds::reviewing, kinds::papers, true);
const members papers_of = ends_of(kinds::writing, kinds::authors, false);
const members reviewed_by = ends_of(kinds::reviewing, kinds::authors, false);

double sigma(double x) { return 1 / (1 + std::exp(-x)); }
std::vector<double> softmax_of(std::vector<double> scores) {
  double total = 0;
  for (double& s : scores) total += s = std::exp(s);
  for (double& s : scores) s /= total;
  return scores;
}

/// Σ_j softmax_j(score of j, per column) ⊙ row j.
matrix pooled(const members& m, const matrix& scores, const matrix& rows) {
  matrix y(static_cast<int>(m.size()), rows.columns());
  for (int i = 0; i < y.rows(); ++i)
    for (int f = 0; f < y.columns(); ++f) {
      std::vector<double> s;
      const std::vector<int>& all = m[static_cast<std::size_t>(i)];
      for (const int j : all) s.push_back(scores(j, scores.columns() == 1 ? 0 : f));
      const std::vector<double> share = softmax_of(s);
      for (std::size_t k = 0; k < all.size(); ++k) y(i, f) += share[k] * rows(all[k], f);
    }
  return y;
}

matrix set2set(const given& in, const members& m, const matrix& rows, int steps) {
  const matrix I = in("I", 6, 12), S = in("S", 3, 12), B = in("B", 1, 12);
  const int n = static_cast<int>(m.size());
  matrix q(n, 3), c(n, 3), r(n, 3);
  for (int step = 0; step < steps; ++step) {
    const matrix gates = with_row(beside(q, r) * I + q * S, B);
    for (int i = 0; i < n; ++i)
      for (int f = 0; f < 3; ++f) {
        c(i, f) = sigma(gates(i, 3 + f)) * c(i, f) + sigma(gates(i, f)) * std::tanh(gates(i, 6 + f));
        q(i, f) = sigma(gates(i, 9 + f)) * std::tanh(c(i, f));
      }
    for (int i = 0; i < n; ++i) {
      members alone(1, m[static_cast<std::size_t>(i)]);
      const matrix read = pooled(alone, rows * q.row(i).transposed(), rows);
      for (int f = 0; f < 3; ++f) r(i, f) = read(0, f);
    }
  }
  return beside(q, r);
}

/// The rows of those whose last number is largest, side by side, then zeros.
matrix sorted(const members& m, const matrix& rows, int count) {
  matrix y(static_cast<int>(m.size()), count * rows.columns());
  for (int i = 0; i < y.rows(); ++i) {
    std::vector<int> all = m[static_cast<std::size_t>(i)];
    std::stable_sort(all.begin(), all.end(),
                     [&](int a, int b) { return rows(a, rows.columns() - 1) > rows(b, rows.columns() - 1); });
    for (int k = 0; k < std::min(count, static_cast<int>(all.size())); ++k)
      for (int f = 0; f < rows.columns(); ++f) y(i, k * rows.columns() + f) = rows(all[static_cast<std::size_t>(k)], f);
  }
  return y;
}

/// elu of two heads of attention with GAT's scores.
matrix metapath(const given& in, const members& m, const matrix& h, const char* source, const char* destination) {
  const matrix s = in(source, 2, 2), d = in(destination, 2, 2), own = in.y();
  matrix z(kinds::papers, 4);
  for (int i = 0; i < z.rows(); ++i)
    for (int head = 0; head < 2; ++head) {
      const auto along = [&](const matrix& a, const matrix& of, int at) {
        return a(head, 0) * of(at, 2 * head) + a(head, 1) * of(at, 2 * head + 1);
      };
      std::vector<double> scores;
      const std::vector<int>& all = m[static_cast<std::size_t>(i)];
      for (const int j : all) {
        const double score = along(d, own, i) + along(s, h, j);
        scores.push_back(score > 0 ? score : 0.2 * score);
      }
      const std::vector<double> share = softmax_of(scores);
      for (std::size_t k = 0; k < all.size(); ++k)
        for (int f = 2 * head; f < 2 * head + 2; ++f) z(i, f) += share[k] * h(all[k], f);
    }
  return each(z, [](double v) { return v > 0 ? v : std::expm1(v); });
}
/// Terms weighed by what all vertices say of them on average.
matrix semantic(const given& in, const std::vector<matrix>& terms, const matrix& bias) {
  const matrix H = in("H", 4, 3), q = in("q", 3, 1);
  std::vector<double> scores;
  for (const matrix& z : terms)
    scores.push_back((each(with_row(z * H, bias), [](double v) { return std::tanh(v); }) * q).sum() / z.rows());
  const std::vector<double> share = softmax_of(scores);
  matrix y(kinds::papers, 4);
  for (std::size_t k = 0; k < terms.size(); ++k) y = y + share[k] * terms[k];
  return y;
}

struct relation_of_hgt {
  members edges;
  matrix x;
  const char *keys, *messages, *att, *msg, *mu;
};
/// Every edge of every relation is one entry of its destination's softmax.
matrix hgt(const given& in, const std::vector<relation_of_hgt>& relations) {
  const matrix own = in.y(), query = own * in("Q", 4, 4);
  matrix gathered(kinds::papers, 4);
  for (int i = 0; i < kinds::papers; ++i)
    for (int head = 0; head < 2; ++head) {
      std::vector<double> scores;
      std::vector<matrix> messages;
      for (const relation_of_hgt& r : relations) {
        const matrix att = in(r.att, 4, 2).rows(2 * head, 2), msg = in(r.msg, 4, 2).rows(2 * head, 2);
        for (const int j : r.edges[static_cast<std::size_t>(i)]) {
          const matrix key = (r.x.row(j) * in(r.keys, r.x.columns(), 4)).middle(2 * head, 2);
          const matrix message = (r.x.row(j) * in(r.messages, r.x.columns(), 4)).middle(2 * head, 2);
          const double product = (key * att * query.row(i).middle(2 * head, 2).transposed()).sum();
          scores.push_back(in(r.mu, 1, 2)(0, head) * product / std::sqrt(2.0));
          messages.push_back(message * msg);
        }
      }
      const std::vector<double> share = softmax_of(scores);
      for (std::size_t k = 0; k < share.size(); ++k)
        for (int f = 0; f < 2; ++f) gathered(i, 2 * head + f) += share[k] * messages[k](0, f);
    }
  const matrix bent = each(gathered, [](double v) { return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))); });
  const double kept = sigma(in.number("skip"));
  return kept * (bent * in("A", 4, 4)) + (1 - kept) * own;
}

using reference = std::function<matrix(const given&)>;
const std::map<std::string, reference>& expected() {
  static const std::map<std::string, reference> all = {
      {"attention_pool",
       [](const given& in) { return pooled(authors_of, in.x() * in("gate", 3, 1), in.x() * in("W", 3, 4)); }},
      {"attention_pool_per_feature", [](const given& in) { return pooled(papers_of, in.y() * in("U", 4, 4), in.y()); }},
      {"set2set", [](const given& in) { return set2set(in, authors_of, in.x(), 3); }},
      {"set2set_of_authors", [](const given& in) { return set2set(in, reviewed_by, in.y() * in("H", 4, 3), 2); }},
      {"sort_pool", [](const given& in) { return sorted(authors_of, in.x(), 3); }},
      {"sort_pool_of_one", [](const given& in) { return sorted(papers_of, in.y() * in("U", 4, 4), 1); }},
      {"han",
       [](const given& in) {
         return semantic(in,
                         {metapath(in, authors_of, in.x() * in("W", 3, 4), "s1", "d1"),
                          metapath(in, citing_ones, in.y(), "s2", "d2")},
                         in("h", 1, 3));
       }},
      {"han_of_one",
       [](const given& in) { return semantic(in, {metapath(in, citing_ones, in.y(), "s2", "d2")}, matrix(1, 3)); }},
      {"hgt",
       [](const given& in) {
         return hgt(in, {{authors_of, in.x(), "Ka", "Ma", "att1", "msg1", "mu1"},
                         {citing_ones, in.y(), "Kp", "Mp", "att2", "msg2", "mu2"},
                         {reviewers_of, in.x(), "Ka", "Ma", "att3", "msg3", "mu3"}});
       }},
      {"hgt_of_one",
       [](const given& in) {
         return hgt(in, {{reviewers_of, in.x(), "Ka", "Ma", "att1", "msg1", "mu1"}});
       }},
      {"side_by_side",
       [](const given& in) {
         matrix mean(kinds::papers, 3), sum(kinds::papers, 4);
         for (int i = 0; i < kinds::papers; ++i) {
           const auto& from = authors_of[static_cast<std::size_t>(i)];
           for (const int j : from)
             for (int f = 0; f < 3; ++f) mean(i, f) += in.x()(j, f) / static_cast<double>(from.size());
           for (const int j : citing_ones[static_cast<std::size_t>(i)])
             for (int f = 0; f < 4; ++f) sum(i, f) += in.y()(j, f);
         }
         return beside(in.y() * in("U", 4, 4) + mean * in("W", 3, 4), sum);
       }},
  };
  return all;
}

void expect_near(const array& y, const matrix& wanted, double tolerance) {
  ASSERT_EQ(static_cast<int>(y.size()), wanted.rows() * wanted.columns());
  const array all = wanted.numbers();
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], all[i], tolerance) << "number " << i;
}

TEST(set_layers, are_what_their_papers_say) {
  const graphs g = kinds::small();
  set_layers::for_each_layer([&](auto layer) {
    SCOPED_TRACE(layer.name);
    const ir::program p = trace(layer.program);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    for (unsigned seed = 1; seed < 4; ++seed) {
      const oracle::environment env = test::random_inputs(p, g, seed);
      expect_near(oracle::interpret(p, g, env)[0], expected().at(layer.name)(given{{env.inputs}}), 1e-12);
    }
  });
}

TEST(set_layers, have_the_gradients_of_their_values) {
  const graphs g = kinds::small();
  std::set<ir::opcode> covered;
  set_layers::for_each_layer([&](auto layer) {
    SCOPED_TRACE(layer.name);
    const ir::program p = pass::cse(trace(layer.program));
    test::check_gradients(p, g, test::random_inputs(p, g, 7), {0}, covered);
  });
}

constexpr auto of_bases = [](auto g) {
  const auto mixed = nn::basis_matrix(parameter<"c", f64, 2>, parameter<"V", f64, 2, 4, 3>);
  return nn::mean_over(g(kinds::paper).in_edges(kinds::cites), g(kinds::paper)(set_layers::y), mixed);
};
/// On a graph where every vertex has several edges of each relation, so that shares are to be learnt.
TEST(set_layers, learn_from_what_initialize_gives_them) {
  using kinds::author, kinds::paper, kinds::writes, kinds::cites, kinds::reviews;
  graphs g;
  g.add_vertices(author, 4).add_vertices(paper, 5);
  g.add_edges(writes, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4});
  g.add_edges(cites, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4}, {1, 2, 3, 4, 0, 2, 3, 4, 0, 1});
  g.add_edges(reviews, {3, 2, 1, 0, 3, 2, 1, 0, 3, 2}, {0, 1, 2, 3, 4, 4, 3, 2, 1, 0});
  set_layers::for_each_layer([&](auto layer) {
    SCOPED_TRACE(layer.name);
    const std::string_view name = layer.name;
    if (name == "han_of_one") return;          // one share, whatever it is asked by
    if (name == "set2set_of_authors") return;  // two questions from zeros, of which both are 0 while the bias is
    test::expect_trains(trace(layer.program), g);
  });
  test::expect_trains(trace(of_bases), g);
}

/// Scores so large that their exponentials are no numbers, and of relations far apart.
TEST(set_layers, hgt_weighs_relations_by_the_largest_score_of_all) {
  const graphs g = kinds::small();
  const ir::program p = trace(set_layers::hgt);
  oracle::environment env = test::random_inputs(p, g, 3);
  for (double& mu : env.inputs["mu1"]) mu = 3e4;
  for (double& mu : env.inputs["mu2"]) mu = -3e4;
  const array all = oracle::interpret(p, g, env)[0];
  for (const double y : all) EXPECT_TRUE(std::isfinite(y));
}

TEST(set_layers, stay_what_they_are_through_the_passes) {
  const graphs g = kinds::small();
  set_layers::for_each_layer([&](auto layer) {
    SCOPED_TRACE(layer.name);
    const ir::program canonical = pipeline::canonical(trace(layer.program)), plain = drafts::inferred(canonical);
    ASSERT_EQ(pass::verify(plain), pass::finding()) << to_text(plain);
    const oracle::environment env = test::random_inputs(canonical, g, 3);
    expect_near(oracle::interpret(plain, g, env)[0], expected().at(layer.name)(given{{env.inputs}}), 1e-12);
  });
}

/// As a user compiles and checks them, in one program: drafts against the oracle, and gradients against differences.
constexpr auto together = [](auto g) {
  return outputs(set_layers::attention_pool(g), set_layers::set2set_of_authors(g), set_layers::sort_pool(g),
                 set_layers::han(g), set_layers::hgt(g));
};
TEST(set_layers, as_drafts) {
  const graphs g = kinds::small();
  test::check_sample<together>("together", g, "two sets");
  const ir::program p = canonical<ref<together>>::value.thaw();
  const auto inputs = test::bind_all<ref<together>>(p, g, test::random_inputs(p, g, 5));
  const gradient_check found = check_gradients<together>(g, inputs);
  EXPECT_TRUE(found) << found;
  EXPECT_GT(found.compared, 200);
}

}  // namespace
}  // namespace stg
