// test: draft programs_at_run_time, proof kernels 0
// What examines programs takes time that is linear in their statements.
#include "../static/examine/rewrites.hpp"  // chain, distribute, factored
#include "../static/examine/walks.hpp"     // depth_of, unchanged

#include "support/sanitized.hpp"  // is_sanitized

#include <stg/differentiate.hpp>  // differentiate
#include <stg/examine.hpp>        // what takes linear time
#include <stg/ir/text.hpp>        // to_text
#include <stg/rules.hpp>          // without_zeros
#include <stg/stg.hpp>            // the language

#include <gtest/gtest.h>  // TEST

#include <time.h>  // clock_gettime

#include <algorithm>  // min
#include <iostream>   // cout

namespace stg::examined {
namespace {

/// The least of the times that f takes, in milliseconds of this thread.
template <class F> double milliseconds(const F& f, int times = 5) {
  double least = 1e9;
  for (int k = 0; k < times; ++k) {
    timespec from{}, to{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    f();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    const double taken =
        1e3 * static_cast<double>(to.tv_sec - from.tv_sec) + 1e-6 * static_cast<double>(to.tv_nsec - from.tv_nsec);
    least = taken < least ? taken : least;
  }
  return least;
}

ir::program named_chain(int steps) {
  ir::program p = chain(steps);
  for (ir::value_id i = 0; i < p.size(); ++i) p.names.push_back({text(std::to_string(i)), i});
  return p;
}

/// x times one number after the other, none of which is near 1.
ir::program small_numbers(int steps) {
  ir::program p = chain(1);
  pass::value at{&p, p.outputs[0].at};
  for (int k = 0; k < steps; ++k) at = at * pass::constant(p, f32, 1e-9 * (k + 1));
  p.outputs[0].at = at.id;
  return p;
}

ir::program tagged_chain(int steps) {
  ir::program p = chain(steps);
  for (ir::value_id i = 3; i < p.size(); ++i)
    p.tags.push_back({text("tag " + std::to_string(i % 7)), i, ir::tag::rows});
  return p;
}

/// A mask of its own for each step, of an axis whose extent has a name of its own.
ir::program masked_chain(int steps) {
  ir::program p;
  p.inputs = {ir::input{text("x")}};
  ir::statement s;
  s.where = ir::space::vertex;
  p.emit(s);
  for (int k = 0; k < steps; ++k) {
    s = ir::statement();
    s.code = ir::opcode::keep_mask;
    s.where = ir::space::vertex;
    s.set_site(k);
    s.set_drop_probability(0.5);
    s.dims.push(ir::extent(-1 - k));
    p.extents.push_back(ir::polynomial(text("F" + std::to_string(k))));
    const pass::value mask{&p, p.emit(s)};
    const pass::value total = pass::reduce(ir::opcode::reduce_sum, mask, 1);
    p.outputs.push_back(ir::output{total.id, {}});
  }
  return p;
}

/// Fails where f takes more than 50 ms for 10,000 statements, or for 16 times as many more than `most` times as long,
/// where 256 would be quadratic. What is more than 16 is the cost of memory that no cache holds any more, of copies
/// most.
template <class F>
void expect_linear(const char* what, const F& f, ir::program (*of)(int) = chain, int steps = 3333, int most = 120) {
  const ir::program some = of(steps), many = of(16 * steps);
  const double first = milliseconds([&] { f(some); }), limit = most * first + 1;
  double more = milliseconds([&] { f(many); }, 2);
  for (int again = 0; again < 4 && more > limit; ++again)  // others may have had the memory meanwhile
    more = std::min(more, milliseconds([&] { f(many); }, 1));
  std::cout << what << ": " << first << " ms for " << some.size() << " statements, " << more << " ms for "
            << many.size() << "\n";
  EXPECT_LE(first, test::is_sanitized ? 1000 : 50) << what;
  EXPECT_LE(more, limit) << what;
}

/// What the gradient reads are as many outputs of the forward program.
TEST(differentiate, takes_linear_time) {
  for (const keeping keep : {keeping::chosen, keeping::everything})
    expect_linear(
        "differentiate",
        [keep](const ir::program& p) { EXPECT_GT(4 * differentiate(p, {0}, keep).forward.outputs.size(), p.size()); },
        chain, 1000, 80);
}

TEST(examined, takes_linear_time) {
  expect_linear("walk", [](const ir::program& p) { examine::topological_order(p); });
  expect_linear("fold", [](const ir::program& p) { depth_of(p); });
  expect_linear("transform", [](const ir::program& p) { examine::transform(p, unchanged); });
  expect_linear(
      "transform of names", [](const ir::program& p) { examine::transform(p, unchanged); }, named_chain);
  expect_linear(
      "transform of tags", [](const ir::program& p) { examine::transform(p, unchanged); }, tagged_chain);
  expect_linear(
      "order of names and tags",
      [](ir::program p) {
        p.names = named_chain((p.size() - 3) / 3).names;
        pass::order(p);
      },
      tagged_chain);
  expect_linear(
      "counts of tags", [](const ir::program& p) { examine::counts_of_tags(p); }, tagged_chain);
  expect_linear(
      "spread of tags", [](const ir::program& p) { examine::spread_tags(p); }, tagged_chain);
  expect_linear(
      "transform of small numbers", [](const ir::program& p) { examine::transform(p, unchanged); }, small_numbers);
  expect_linear("users", [](const ir::program& p) { examine::users(p).uses(0); });
  expect_linear("all users", [](const ir::program& p) { examine::all_users_of(p, 0); });
  expect_linear("dependencies", [](const ir::program& p) { examine::dependencies_of(p, p.outputs[0].at); });
  expect_linear("needs", [](const ir::program& p) { examine::needs_of(p, p.outputs[0].at); });
  expect_linear("values in memory", [](const ir::program& p) { examine::values_in_memory(p); });
  expect_linear("stored by mpms", [](const ir::program& p) { examine::stored_by_mpms(p); });
  expect_linear("counts", [](const ir::program& p) { examine::distinct_counts_of(p); });
  expect_linear("hash", [](const ir::program& p) { examine::hash_of(p); });
  expect_linear("hashes of values", [](const ir::program& p) { examine::hashes_of(p); });
  expect_linear("equality", [](const ir::program& p) { EXPECT_TRUE(p == p); });
  expect_linear("equality of values",
                [](const ir::program& p) { examine::are_equal(p, p.outputs[0].at, p, p.outputs[0].at); });
  expect_linear("index form",
                [](const ir::program& p) { examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)); });
  expect_linear(
      "index form of names",
      [](const ir::program& p) { examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)); },
      named_chain);
  expect_linear(
      "text", [](const ir::program& p) { ir::to_text(p); }, named_chain, 300);
  expect_linear(
      "graph of groups",
      [](const ir::program& p) { examine::to_dot(p, examine::groups_by(p, [](node n) { return n.at; })); }, named_chain,
      300);
  expect_linear(
      "drawing", [](const ir::program& p) { examine::to_svg(p); }, named_chain, 300);
  expect_linear("partition", [](const ir::program& p) {
    EXPECT_EQ(examine::partition(p, [](node n) { return n.at / 30; }).parts.size(), p.size() / 30 + 1);
  });
  expect_linear("matches",
                [](const ir::program& p) { EXPECT_EQ(examine::matches_of(p, factored).size(), (p.size() - 3) / 3); });
  expect_linear("rewrite", [](const ir::program& p) { EXPECT_LT(examine::rewrite(p, factored).size(), p.size()); });
  expect_linear("refused matches", [](const ir::program& p) { EXPECT_TRUE(examine::rewrite(p, distribute) == p); });
  expect_linear("zeros", [](const ir::program& p) { EXPECT_TRUE(rules::without_zeros(p) == p); });
  expect_linear("similar", [](const ir::program& p) { EXPECT_TRUE(examine::are_similar(p, p)); });
  expect_linear(
      "similar with extents and sites", [](const ir::program& p) { EXPECT_TRUE(examine::are_similar(p, p)); },
      masked_chain);
}

}  // namespace
}  // namespace stg::examined
