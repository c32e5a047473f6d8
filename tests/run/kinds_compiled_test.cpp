// Programs over two vertex sets as kernels and as drafts: values and gradients against the oracle.
#include "support/backend_check.hpp"  // check_sample
#include "support/kinds.hpp"          // small

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

TEST(kinds, as_kernels) {
  const graphs g = kinds::small();
  test::check_sample<several>("several", g, "two sets");
  test::check_sample<kinds::rgcn>("rgcn", g, "two sets");
}

/// A draft in f64 against the oracle, with the gradients of what training changes.
template <const auto& Program> void check_draft(const graph& g) {
  using Ref = ref<Program>;
  const ir::program p = canonical<Ref>::value.thaw();
  const oracle::environment env = test::random_inputs(p, g, 5);
  test::all_inputs<Ref> inputs = test::bind_all<Ref>(p, g, env);
  auto tape = compile_for_training<Program>(draft()).record(g, inputs);
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
