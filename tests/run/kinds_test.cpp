// test: draft layers
// Programs over two vertex sets and three relations: the oracle against dense references, gradients against central
// differences, passes, and drafts.
#include "support/differences.hpp"       // check_gradients
#include "support/inputs.hpp"            // random_inputs
#include "support/kinds.hpp"             // author, paper, small
#include "support/references/given.hpp"  // matrix, named_matrices

#include <stg/analysis/verify.hpp>     // verify
#include <stg/codegen/draft/made.hpp>  // made_step
#include <stg/pass/cse.hpp>            // cse
#include <stg/pipeline.hpp>            // canonical, inferred, differentiated

#include <gtest/gtest.h>  // TEST

#include <cmath>       // exp, abs
#include <functional>  // function
#include <limits>      // infinity
#include <set>         // set
#include <string>      // string

namespace stg {
namespace {

using oracle::array;
using references::matrix;

/// Inputs as matrices, and relations as numbers of edges, (destinations, sources).
struct given : references::named_matrices {
  matrix a() const { return (*this)("a", kinds::authors, 3); }
  matrix b() const { return (*this)("b", kinds::papers, 2); }
  matrix A() const { return (*this)("A", 3, 4); }
  matrix B() const { return (*this)("B", 2, 4); }
};
matrix adjacency(const kinds::pairs& edges, int sources) {
  matrix m(kinds::papers, sources);
  for (const auto& [from, to] : edges) m(static_cast<int>(to), static_cast<int>(from)) += 1;
  return m;
}
matrix writes() { return adjacency(kinds::writing, kinds::authors); }
matrix cites() { return adjacency(kinds::citing, kinds::papers); }
matrix reviews() { return adjacency(kinds::reviewing, kinds::authors); }
/// Rows divided by what is in them.
matrix shares(matrix m) {
  for (int i = 0; i < m.rows(); ++i) {
    double total = 0;
    for (int k = 0; k < m.columns(); ++k) total += m(i, k);
    for (int k = 0; k < m.columns(); ++k) m(i, k) /= std::max(total, 1.0);
  }
  return m;
}
/// The largest of the rows of x that a row of m has an edge to, 0 where it has none.
matrix largest_of(const matrix& m, const matrix& x) {
  matrix y(m.rows(), x.columns());
  for (int i = 0; i < m.rows(); ++i)
    for (int f = 0; f < x.columns(); ++f) {
      double most = -std::numeric_limits<double>::infinity();
      for (int k = 0; k < m.columns(); ++k)
        if (m(i, k) > 0) most = std::max(most, x(k, f));
      y(i, f) = std::isinf(most) ? 0 : most;
    }
  return y;
}
/// Σ α x over the edges that m counts; score(i, k, h) of an edge; two heads of two.
matrix attention(const matrix& m, const matrix& x, const std::function<double(int, int, int)>& score) {
  matrix y(m.rows(), 4);
  for (int i = 0; i < m.rows(); ++i)
    for (int h = 0; h < 2; ++h) {
      double total = 0;
      for (int k = 0; k < m.columns(); ++k) total += m(i, k) * std::exp(score(i, k, h));
      for (int k = 0; k < m.columns(); ++k)
        for (int f = 0; f < 2 && m(i, k) > 0; ++f)
          y(i, 2 * h + f) += m(i, k) * std::exp(score(i, k, h)) / total * x(k, 2 * h + f);
    }
  return y;
}
double leaky(double x) { return x > 0 ? x : 0.2 * x; }

matrix gat(const given& in) {
  const matrix h = in.a() * in.A(), own = in.b() * in.B(), s = in("s", 2, 2), d = in("d", 2, 2);
  return attention(writes(), h, [&](int i, int k, int head) {
    double score = 0;
    for (int f = 0; f < 2; ++f) score += s(head, f) * h(k, 2 * head + f) + d(head, f) * own(i, 2 * head + f);
    return leaky(score);
  });
}
matrix gatv2(const given& in) {
  const matrix h = in.b() * in.B(), own = in.a() * in.A(), s = in("s", 2, 2);
  return attention(writes().transposed(), h, [&](int i, int k, int head) {
    double score = 0;
    for (int f = 0; f < 2; ++f) score += s(head, f) * leaky(h(k, 2 * head + f) + own(i, 2 * head + f));
    return score;
  });
}
matrix weighted_sum(const given& in) {
  matrix m(kinds::papers, kinds::authors);
  for (std::size_t e = 0; e < kinds::writing.size(); ++e)
    m(static_cast<int>(kinds::writing[e].second), static_cast<int>(kinds::writing[e].first)) += in.inputs.at("w")[e];
  return m * in.a();
}
matrix rgcn(const given& in) {
  const matrix V = in("V", 2, 12), c = in("c", 1, 2);
  const matrix mixed(3, 4, [&] {
    std::vector<double> numbers;
    for (int k = 0; k < 12; ++k) numbers.push_back(c(0, 0) * V(0, k) + c(0, 1) * V(1, k));
    return numbers;
  }());
  return in.b() * in.B() + shares(writes()) * (in.a() * in.A()) + shares(cites()) * (in.b() * in("C", 2, 4)) +
         shares(reviews()) * (in.a() * mixed);
}

struct layer {
  std::string name;
  ir::program program;
  std::function<matrix(const given&)> reference;
};
const std::vector<layer>& layers() {
  using enum nn::aggregate;
  const auto terms = [](const given& in) {
    return std::vector<matrix>{writes() * (in.a() * in.A()), cites() * (in.b() * in.B()),
                               reviews() * (in.a() * in("D", 3, 4))};
  };
  static const std::vector<layer> all = {
      {"weighted sum", trace(kinds::weighted_sum), weighted_sum},
      {"there and back", trace(kinds::there_and_back),
       [](const given& in) { return largest_of(writes().transposed(), shares(writes()) * in.a()); }},
      {"sage of means", trace(kinds::sage<mean>),
       [](const given& in) { return in.b() * in.B() + shares(writes()) * in.a() * in.A(); }},
      {"sage of sums", trace(kinds::sage<sum>),
       [](const given& in) { return in.b() * in.B() + writes() * in.a() * in.A(); }},
      {"sage of maxima", trace(kinds::sage<max>),
       [](const given& in) { return in.b() * in.B() + largest_of(writes(), in.a()) * in.A(); }},
      {"sage of authors", trace(kinds::sage_of_authors),
       [](const given& in) { return in.a() * in.A() + shares(writes().transposed()) * in.b() * in.B(); }},
      {"gin", trace(kinds::gin),
       [](const given& in) { return (1.5 * in("same", kinds::papers, 3) + writes() * in.a()) * in.A(); }},
      {"gat", trace(kinds::gat), gat},
      {"gatv2", trace(kinds::gatv2), gatv2},
      {"rgcn", trace(kinds::rgcn), rgcn},
      {"sum across relations", trace(kinds::across<sum>),
       [=](const given& in) { return terms(in)[0] + terms(in)[1] + terms(in)[2]; }},
      {"mean across relations", trace(kinds::across<mean>),
       [=](const given& in) { return 1.0 / 3 * (terms(in)[0] + terms(in)[1] + terms(in)[2]); }},
      {"maximum across relations", trace(kinds::across<max>),
       [=](const given& in) { return largest(terms(in)[0], largest(terms(in)[1], terms(in)[2])); }},
  };
  return all;
}

void expect_near(const array& y, const matrix& expected, double tolerance) {
  ASSERT_EQ(static_cast<int>(y.size()), expected.rows() * expected.columns());
  for (int i = 0; i < expected.rows(); ++i)
    for (int k = 0; k < expected.columns(); ++k)
      EXPECT_NEAR(y[static_cast<std::size_t>(i * expected.columns() + k)], expected(i, k), tolerance)
          << "row " << i << ", column " << k;
}

TEST(kinds, layers_are_what_their_papers_say) {
  const graphs g = kinds::small();
  for (const layer& l : layers()) {
    SCOPED_TRACE(l.name);
    ASSERT_EQ(pass::verify(l.program), pass::finding()) << to_text(l.program);
    for (unsigned seed = 1; seed < 4; ++seed) {
      const oracle::environment env = test::random_inputs(l.program, g, seed);
      expect_near(oracle::interpret(l.program, g, env)[0], l.reference(given{{env.inputs}}), 1e-12);
    }
  }
}

TEST(kinds, layers_have_the_gradients_of_their_values) {
  const graphs g = kinds::small();
  std::set<ir::opcode> covered;
  for (const layer& l : layers()) {
    SCOPED_TRACE(l.name);
    const ir::program p = pass::cse(l.program);
    test::check_gradients(p, g, test::random_inputs(p, g, 7), test::real_outputs(p), covered);
  }
  const ir::program p = pass::cse(trace(kinds::counts));
  test::check_gradients(p, g, test::random_inputs(p, g, 7), test::real_outputs(p), covered);
}

TEST(kinds, degrees_and_numbers_of_vertices_are_those_of_the_set_and_relation) {
  const graphs g = kinds::small();
  const ir::program p = trace(kinds::counts);
  oracle::environment env = test::random_inputs(p, g, 1);
  env.inputs["age"] = array(kinds::papers, 1.0);
  const std::vector<array> y = oracle::interpret(p, g, env);
  EXPECT_EQ(y[0], (array{152, 112, 211, 203, 110, 101}));
  EXPECT_EQ(y[1], (array{3, 2, 4, 0}));
  EXPECT_EQ(y[2], array{406});
  EXPECT_EQ(y[4].size(), kinds::writing.size());
}

TEST(kinds, passes_keep_vertex_sets_and_relations) {
  const graphs g = kinds::small();
  for (const layer& l : layers()) {
    SCOPED_TRACE(l.name);
    const ir::program canonical = pipeline::canonical(l.program);
    const oracle::environment env = test::random_inputs(canonical, g, 3);
    const ir::program plain = drafts::inferred(canonical);
    EXPECT_EQ(pass::verify(plain), pass::finding()) << to_text(plain);
    const array expected = oracle::interpret(canonical, g, env)[0], found = oracle::interpret(plain, g, env)[0];
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
  }
}

TEST(kinds, scans_carry_values_of_a_set) {
  const graphs g = kinds::small();
  const ir::program p = trace(kinds::repeated);
  ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
  const oracle::environment env = test::random_inputs(p, g, 1);
  const matrix b = given{{env.inputs}}.b();
  matrix h(kinds::papers, 2);
  for (int step = 0; step < 2; ++step) {
    const matrix around = shares(cites()) * h + writes() * (shares(writes().transposed()) * h);
    h = each(b + around, [](double x) { return std::tanh(x); });
  }
  expect_near(oracle::interpret(p, g, env)[0], h, 1e-12);
  const ir::program plain = drafts::inferred(pipeline::canonical(p));
  ASSERT_EQ(pass::verify(plain), pass::finding()) << to_text(plain);
  std::set<ir::opcode> covered;
  test::check_gradients(pass::cse(p), g, env, {0}, covered);
  const auto model = compile<kinds::repeated>(draft());
  tensor<double> B({kinds::papers, 2});
  for (std::int64_t i = 0; i < B.size(); ++i) B.data()[i] = env.inputs.at("b")[static_cast<std::size_t>(i)];
  const tensor<double> y = model(g, kinds::b = B);
  expect_near(array(y.begin(), y.end()), h, 1e-12);
}

TEST(kinds, order_numbers_sets_and_relations_as_they_are_read) {
  const ir::program p = pipeline::canonical(trace(kinds::rgcn));
  EXPECT_EQ(p.kinds.size(), 5);
  const std::string text = to_text(p);
  EXPECT_NE(text.find("set paper\nset author\nrelation writes author -> paper\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace stg
