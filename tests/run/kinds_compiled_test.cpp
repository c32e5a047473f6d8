// test: kernels 0, counted
// Programs over two vertex sets as kernels and as drafts: values and gradients against the oracle.
#include "support/backend_check.hpp"  // check_sample, check_sample_once
#include "support/kinds.hpp"          // small

#include <stg/runtime/parallel.hpp>  // set_threads, threads

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int64_t
#include <vector>   // vector

namespace stg {
namespace {

/// All that a unit may meet: attention, an aggregate of each relation, both directions, and degrees by relation.
constexpr auto several = [](auto g) {
  using namespace kinds;
  auto p = g(paper);
  auto u = g(author);
  auto hp = nn::gat_conv(p.in_edges(writes), u(a), p(b), A, B, s, d);
  auto of_papers = tanh(reshape<4>(hp) + max(p.in_edges(cites).src(matmul(p(b), C))));
  auto of_authors = mean(u.out_edges(writes).dst(of_papers)) * rsqrt(1.0 + u.template out_degree<f64>(reviews));
  return outputs(of_papers * p.template in_degree<f64>(cites) / p.template vertex_count<f64>(), of_authors,
                 mean(of_authors, all_vertices) + sum(of_papers, all_vertices) / u.template vertex_count<f64>(),
                 p.in_edges(writes).src(of_authors) * p(age));
};

/// One sweep over papers: attention to authors, whose coefficients are kept, what cites a paper, and what it cites, of
/// which a message reads what the authors gave. Its gradient has one over authors and one over papers.
constexpr auto shared = [](auto g) {
  using namespace kinds;
  auto p = g(paper);
  auto e = p.in_edges(writes);
  auto h = matmul(g(author)(a), A);
  auto share = softmax(sum(e.src(h), axis<0>) * e(w));
  auto of_authors = sum(share * e.src(h));
  auto cited = p.out_edges(cites);
  auto near = max(p.in_edges(cites).src(matmul(p(b), B))) + sum(cited.dst(matmul(p(b), C)) * cited.src(of_authors));
  auto judged = mean(p.in_edges(reviews).src(h));
  return outputs(tanh(of_authors + near + judged), share);
};
constexpr int edge_sweeps(const auto& plan) {
  int n = 0;
  for (int u = 0; u < plan.unit_count; ++u) n += plan.units[u].side != pass::sweep_side::none;
  return n;
}
static_assert(edge_sweeps(executable<inferred<ref<shared>>>::plan) == 1);

TEST(kinds, sweeps_over_several_relations_as_kernels) {
  const graphs g = kinds::small();
  test::check_sample<shared>("shared", g, "two sets");
  // rows that are long in one relation and short in the next
  test::for_each_cut(2, [&] { test::check_sample_once<shared>("shared", g, "two sets, cut"); });
}

/// Rows that are divided among threads by their edges in all relations, with hubs in each.
TEST(kinds, sweeps_over_several_relations_have_the_same_bits_for_any_number_of_threads) {
  graphs g;
  constexpr std::int64_t many = 3000, hub = 40'000;
  g.add_vertices(kinds::author, many).add_vertices(kinds::paper, many);
  const auto join = [&](const auto& relation, std::int64_t step, std::int64_t to) {
    std::vector<std::int64_t> src, dst;
    for (std::int64_t k = 0; k < 60'000; ++k) {
      src.push_back(k * step % many);
      dst.push_back(k < hub ? to : k * 31 % many);
    }
    g.add_edges(relation, src, dst);
  };
  join(kinds::writes, 7, 5);
  join(kinds::cites, 11, 2999);
  join(kinds::reviews, 13, 5);
  const ir::program p = canonical<ref<shared>>::value.thaw();
  const oracle::environment env = test::random_inputs(p, g, 5);
  test::all_inputs<ref<shared>> inputs = test::bind_all<ref<shared>>(p, g, env);
  const auto results_of = [&](int threads) {
    set_threads(threads);
    auto results = compile_for_training<shared>().record(g, inputs).outputs();
    std::vector<oracle::array> all;
    for_each(results, [&](std::string_view, auto& t) { all.push_back(test::numbers_of(t)); });
    return all;
  };
  const int before = threads();
  const std::vector<oracle::array> once = results_of(1), shared_out = results_of(4);
  set_threads(before);
  EXPECT_EQ(once, shared_out);
  const std::vector<oracle::array> expected = oracle::interpret(p, g, env);
  for (std::size_t k = 0; k < expected.size(); ++k) test::expect_same(once[k], expected[k], 1e-12, "output");
}

TEST(kinds, as_kernels) {
  const graphs g = kinds::small();
  test::check_sample<several>("several", g, "two sets");
#if defined(STG_PROOF)
  test::check_sample<kinds::rgcn>("rgcn", g, "two sets");
#endif
}

/// A draft in f64 against the oracle, with the gradients of what training changes.
template <const auto& Program> void check_draft(const graph& g) {
  using Ref = ref<Program>;
  const ir::program p = canonical<Ref>::value.thaw();
  const oracle::environment env = test::random_inputs(p, g, 5);
  test::all_inputs<Ref> inputs = test::bind_all<Ref>(p, g, env);
  auto tape = compile_for_training<Program>(draft()).record(test::any_graph{g}, inputs);
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(p, g, env, &magnitudes);
  auto results = tape.outputs();
  std::size_t k = 0;
  for_each(results, [&](std::string_view, auto& t) {
    EXPECT_TRUE(test::is_near(test::numbers_of(t), expected[k], magnitudes[k], 1e-12)) << "output " << k;
    ++k;
  });
}

constexpr auto loss = [](auto g) {
  using namespace kinds;
  auto p = g(paper);
  auto hp = nn::gat_conv(p.in_edges(writes), g(author)(a), p(b), A, B, s, d);
  auto more = nn::rgcn_conv(p(b), B, nn::mean_over(p.in_edges(cites), p(b), C));
  return mean(sum(square(reshape<4>(hp) + more * p(age)), axis<0>), all_vertices);
};

/// The gradients of a draft's step are those of the oracle.
TEST(kinds, as_drafts_that_train) {
  const graphs g = kinds::small();
  using Ref = ref<loss>;
  const ir::program p = canonical<Ref>::value.thaw();
  const oracle::environment env = test::random_inputs(p, g, 5);
  test::all_inputs<Ref> inputs = test::bind_all<Ref>(p, g, env);
  auto step = value_and_grad<loss>(draft());
  auto [now, outputs, gradients] = step(g, inputs);
  oracle::environment bound = env;
  bound.inputs["d(output 0)"] = {1};
  const pass::joint_program joint = pass::autodiff(p, {0}, pass::trainable_inputs(p));
  const std::vector<oracle::array> expected = oracle::interpret(joint.program, g, bound);
  std::size_t k = 1;
  for_each(gradients, [&](std::string_view input, auto& t) {
    test::expect_same(test::numbers_of(t), expected[k++], 1e-10, "gradient of " + std::string(input));
  });
  EXPECT_EQ(k, expected.size());
  EXPECT_GT(k, 6U);
}

TEST(kinds, as_drafts) {
  const graphs g = kinds::small();
  check_draft<several>(g);
  check_draft<kinds::rgcn>(g);
}

}  // namespace
}  // namespace stg
