// test: kernels 0, on each
// Chains: products and row sweeps that run block by block give what they give one after the other, to the bit, for any
// number of vertices and threads, and need less memory.
#include "support/backend_check.hpp"  // check_sample
#include "support/near.hpp"           // is_near
#include "support/networks.hpp"       // copy_of, differences

#include <stg/call/explain.hpp>       // peak_bytes
#include <stg/codegen/cpu/chain.hpp>  // chain_layout
#include <stg/timeline.hpp>           // timeline

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using test::copy_of;
using test::differences;
using test::same_bits;

/// Around a block of 48 rows, and many blocks.
constexpr std::int64_t vertex_counts[] = {0, 1, 47, 48, 49, 1000};

graph without_edges(std::int64_t vertices) { return test::from_pairs(vertices, {}); }

template <scalar_type T> struct of_type {
  using number = element_t<T>;
  static constexpr auto x = trainable(vertex_feature<"x", T, 24>);
  static constexpr auto W = parameter<"W", T, 24, 80>;
  static constexpr auto b = parameter<"b", T, 80>;
  static constexpr auto V = parameter<"V", T, 80, 7>;
  static constexpr auto M = parameter<"M", T, 8, 5>;

  static constexpr auto layer = [](auto v) { return relu(matmul(v(x), W) + b); };
  static constexpr auto kept = [](auto v) {
    auto h = matmul(v(x), W);
    return outputs(h, relu(h + b));
  };
  static constexpr auto two_layers = [](auto v) {
    return stg::tanh(matmul(dropout(relu(matmul(v(x), W) + b), 0.4), V));
  };
  static constexpr auto heads = [](auto v) {  // three rows of a product per vertex, and a product of row work
    auto y = matmul(stg::reshape<3, 8>(relu(v(x))), M);
    return outputs(sum(y * y, axis<1>), v(x) * 2.0);
  };
  static constexpr auto half_kept = [](auto v) {
    auto h = matmul(v(x), W);
    return outputs(h, stg::tanh(matmul(relu(h + b), V)));
  };
};

template <class P> constexpr int longest_chain() {
  int most = 0;
  for (int u = 0; u < P::plan.unit_count; ++u) most = std::max(most, P::plan.units[u].chained);
  return most;
}
template <const auto& F> using inference_of = executable<inferred<ref<F>>>;
template <const auto& F> using training_of = differentiated<ref<F>, provided<0>, required<>>;
template <const auto& F> constexpr int forward_chain = longest_chain<executable<typename training_of<F>::forward>>();
template <const auto& F> constexpr int gradient_chain = longest_chain<executable<typename training_of<F>::gradient>>();

using d = of_type<f64>;
using s = of_type<f32>;

// What the tests below are about is there: longer chains and shorter ones, forward and backward.
static_assert(longest_chain<inference_of<d::layer>>() == 2 && forward_chain<d::layer> == 2);
static_assert(longest_chain<inference_of<d::kept>>() == 1);
static_assert(longest_chain<inference_of<d::two_layers>>() == 4 && gradient_chain<d::two_layers> == 2);
static_assert(longest_chain<inference_of<d::heads>>() == 3);
static_assert(longest_chain<inference_of<d::half_kept>>() == 3);

// ---- against the oracle: inference, recorded outputs, gradients, central differences ----

template <const auto& F> void check_sizes(const std::string& name, std::int64_t most = 49) {
  for (const std::int64_t n : vertex_counts)
    if (n <= most) test::check_sample<F>(name, without_edges(n), std::to_string(n) + " vertices");
}

TEST(chain, a_layer_is_that_of_the_oracle) { check_sizes<d::layer>("layer"); }
TEST(chain, a_kept_product_is_that_of_the_oracle) { check_sizes<d::kept>("kept"); }
TEST(chain, two_layers_with_dropout_are_those_of_the_oracle) { check_sizes<d::two_layers>("two layers", 1000); }
TEST(chain, rows_of_several_heads_are_those_of_the_oracle) { check_sizes<d::heads>("heads"); }
TEST(chain, a_chain_behind_a_kept_product_is_that_of_the_oracle) { check_sizes<d::half_kept>("half kept"); }

TEST(chain, floats_are_near_the_oracle) {
  using Ref = ref<s::two_layers>;
  const ir::program p = pass::inference(canonical<Ref>::value.thaw());
  for (const std::int64_t n : vertex_counts) {
    const graph g = without_edges(n);
    const oracle::environment env = test::random_inputs(p, g, 3);
    std::vector<oracle::array> magnitudes;
    const std::vector<oracle::array> expected = oracle::interpret(p, g, env, &magnitudes);
    auto inputs = test::bind_all<Ref>(p, g, env);
    auto given = compile<s::two_layers>()(g, inputs);
    EXPECT_TRUE(test::is_near(test::numbers_of(given), expected[0], magnitudes[0], 1e-5)) << n << " vertices";
  }
}

// ---- to the bit ----

template <class P> struct data {
  tensor<typename P::number> x, W{dimensions{24, 80}}, b{dimensions{80}};
  explicit data(std::int64_t vertices) : x({vertices, 24}) {
    uniform(x, -1, 1, 1);
    uniform(W, -1, 1, 2);
    uniform(b, -1, 1, 3);
  }
};

/// The program that also returns its product runs the same units one after the other.
template <class P> void check_against_unchained() {
  for (const std::int64_t n : vertex_counts) {
    const graph g = without_edges(n);
    const data<P> in(n);
    const auto alone = compile<P::layer>()(g, P::x = in.x, P::W = in.W, P::b = in.b);
    const auto all = compile<P::kept>()(g, P::x = in.x, P::W = in.W, P::b = in.b);
    EXPECT_TRUE(same_bits(alone, all.template get<1>())) << n << " vertices";
  }
}
TEST(chain, floats_have_the_bits_of_units_by_themselves) { check_against_unchained<s>(); }
TEST(chain, doubles_have_the_bits_of_units_by_themselves) { check_against_unchained<d>(); }

/// Puts the number of threads back.
struct keep_threads {
  const int before = threads();
  ~keep_threads() { set_threads(before); }
};

/// Outputs and gradients with dropout, on 1 to 4 threads.
template <const auto& F> void check_threads() {
  using Ref = ref<F>;
  const keep_threads keep;
  const ir::program p = canonical<Ref>::value.thaw();
  for (const std::int64_t n : {0, 1, 47, 48, 49, 1000, 20'000}) {
    const graph g = without_edges(n);
    auto inputs = test::bind_all<Ref>(p, g, test::random_inputs(p, g, 7));
    const auto run = [&](auto use) {
      auto layer = compile_for_training<F>();
      layer.seed(5);
      auto tape = layer.record(g, inputs);
      const auto out = copy_of(tape.outputs());
      const auto plain = compile<F>()(g, inputs);
      use(plain, out, tape.backward(out.template get<0>()));
    };
    set_threads(1);
    run([&](const auto& plain, const auto& outputs, const auto& gradients) {
      for (const int count : {2, 3, 4}) {
        set_threads(count);
        run([&](const auto& plain_again, const auto& outputs_again, const auto& gradients_again) {
          EXPECT_TRUE(same_bits(plain_again, plain)) << n << " vertices, " << count << " threads";
          EXPECT_EQ(differences(outputs_again, outputs), "") << n << " vertices, " << count << " threads";
          EXPECT_EQ(differences(gradients_again, gradients), "") << n << " vertices, " << count << " threads";
        });
      }
      set_threads(1);
    });
  }
}
TEST(chain, floats_have_the_same_bits_for_any_number_of_threads) { check_threads<s::two_layers>(); }
TEST(chain, doubles_have_the_same_bits_for_any_number_of_threads) { check_threads<d::two_layers>(); }

// ---- memory ----

template <class P> cpu::chain_layout layout_of(const cpu::launch& l) {
  std::int64_t offsets[2 * P::program.size + 1];
  return cpu::chain_layout(cpu::detail::plan_with_kernels<P, false>(), 0, l, offsets);
}
TEST(chain, threads_share_the_blocks) {
  const keep_threads keep;
  using P = inference_of<s::layer>;
  cpu::launch l;
  l.graph.vertices = 1000;
  for (const int n : {1, 2, 4}) {
    l.resources.threads = n;
    const cpu::chain_layout layout = layout_of<P>(l);
    EXPECT_EQ(layout.threads, n);
    EXPECT_GE(layout.blocks, 4);
  }
  l.graph.vertices = 49;  // not worth waking a thread
  EXPECT_EQ(layout_of<P>(l).threads, 1);
}

TEST(chain, a_product_that_nobody_else_reads_takes_no_memory) {
  const keep_threads keep;
  for (const int n : {1, 4}) {
    set_threads(n);
    const sizes small{.vertices = 100'000, .edges = 0}, large{.vertices = 1'000'000, .edges = 0};
    EXPECT_LT(peak_bytes<s::layer>(large).inference, 1 << 20) << "blocks of some rows";
    EXPECT_EQ(peak_bytes<s::layer>(large).inference, peak_bytes<s::layer>(small).inference);
    EXPECT_LT(peak_bytes<s::layer>(sizes{.vertices = 10, .edges = 0}).inference, 3 * (24 + 10) * 80 * 4);
    EXPECT_LT(peak_bytes<s::two_layers>(large).inference, 1 << 20) << "nothing but blocks between four units";
  }
}

// ---- what a timeline says ----

TEST(chain, is_one_line_of_a_timeline) {
  const auto layer = compile<s::two_layers>();
  const data<s> in(100);
  tensor<float> V({80, 7});
  uniform(V, -1, 1, 4);
  const timeline run;
  layer(without_edges(100), s::x = in.x, s::W = in.W, s::b = in.b, s::V = V);
  const std::vector<unit_time> all = run.units();
  ASSERT_EQ(all.size(), 1u) << run.table();
  EXPECT_EQ(all[0].what, "product + rows + product + rows: tanh");
  EXPECT_EQ(all[0].runs, 1);
  EXPECT_EQ(all[0].bytes, 4 * (100 * (24 + 7) + 24 * 80 + 80 + 80 * 7));  // what stays in blocks is not moved
}

}  // namespace
}  // namespace stg
