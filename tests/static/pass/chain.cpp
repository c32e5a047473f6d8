// chain: which units run together block by block, what is kept for the block alone, and how long the rest lives.
#include "symbols.hpp"

#include <stg/pass/chain.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>

#include <initializer_list>

namespace stg {

using pass::unit_kind;

constexpr auto V = parameter<"V", 2, 4>;
constexpr auto b = parameter<"b", 2>;

constexpr ir::program written(auto program) { return pass::dce(pass::cse(trace(program))); }
constexpr pass::plan unchained(auto program) {
  const ir::program p = written(program);
  return pass::make_plan(p, pass::fuse(p));
}
constexpr pass::plan chained(auto program) { return pass::chain_units(written(program), unchained(program)); }

/// How many units run from each unit on: 1 alone, 0 within a chain.
constexpr bool runs(auto program, std::initializer_list<int> expected) {
  const pass::plan plan = chained(program);
  if (plan.units.size() != static_cast<int>(expected.size())) return false;
  int u = 0;
  for (const int n : expected)
    if (plan.units[u++].chained != n) return false;
  return true;
}
constexpr int count(const ir::flags& flags) {
  int n = 0;
  for (unsigned char f : flags) n += f;
  return n;
}
constexpr int in_block(auto program) { return count(chained(program).in_block); }
constexpr int stored(auto program) { return count(chained(program).stored); }

// ---- what is chained ----

constexpr auto layer = [](auto v) { return relu(matmul(v(x), W) + b); };
static_assert(count(unchained(layer).stored) == 2 && count(unchained(layer).in_block) == 0);
static_assert(runs(layer, {2, 0}) && in_block(layer) == 1 && stored(layer) == 1);

constexpr auto two_layers = [](auto v) { return relu(matmul(relu(matmul(v(x), W) + b), V)); };
static_assert(runs(two_layers, {4, 0, 0, 0}) && in_block(two_layers) == 3 && stored(two_layers) == 1);

constexpr auto row_work_before = [](auto v) { return matmul(relu(v(x)), W); };
static_assert(runs(row_work_before, {2, 0}) && in_block(row_work_before) == 1);

constexpr auto product_of_product = [](auto v) { return matmul(matmul(v(x), W), V); };
static_assert(runs(product_of_product, {2, 0}) && in_block(product_of_product) == 1);

constexpr auto two_products = [](auto v) { return relu(matmul(v(x), W) + matmul(v(y), W)); };
static_assert(runs(two_products, {3, 0, 0}) && in_block(two_products) == 2);

// Of two values of one unit the one that is read last says how far the chain goes.
constexpr auto Q = parameter<"Q", 4, 4>;
constexpr auto read_last = [](auto v) {
  auto first = tanh(v(x)), second = exp(v(x));
  auto product = matmul(second, Q);
  return outputs(matmul(first, W), product, first * product);
};
static_assert(runs(read_last, {4, 0, 0, 0}) && in_block(read_last) == 2);

// Rows of another vertex set between two units end a run.
constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto two_sets = [](auto g) {
  auto first = matmul(g(author)(author.feature<"a", 4>), W);
  auto other = matmul(g(paper)(paper.feature<"p", 4>), W);
  return outputs(matmul(first, V), other);
};
static_assert(runs(two_sets, {1, 1, 1}) && in_block(two_sets) == 0);

// ---- what is not: somebody else reads the product, or nothing follows ----

static_assert(runs([](auto v) { return matmul(v(x), W); }, {1}));
static_assert(runs([](auto v) { return relu(v(x)); }, {1}));

static_assert(runs([](auto v) { return sum(matmul(matmul(v.in_edges()(edge_feature<"u", 4>), W), V)); }, {1, 1, 1}),
              "blocks are of vertices");

constexpr auto given_too = [](auto v) {
  auto h = matmul(v(x), W);
  return outputs(h, relu(h + b));
};
static_assert(runs(given_too, {1, 1}) && in_block(given_too) == 0 && stored(given_too) == 2);

constexpr auto given_reshaped = [](auto v) {
  auto h = matmul(v(x), W);
  return outputs(stg::reshape<2, 1>(h), relu(h + b));
};
static_assert(runs(given_reshaped, {1, 1}) && in_block(given_reshaped) == 0);

constexpr auto gathered = [](auto v) {
  auto h = matmul(v(x), W);
  return outputs(sum(v.in_edges().src(h)), sum(v.in_edges().src(relu(h + b))));
};
static_assert(runs(gathered, {1, 1, 1}) && in_block(gathered) == 0);

constexpr auto reduced = [](auto v) {
  auto h = matmul(v(x), W);
  return outputs(sum(h, all_vertices), relu(h + b));
};
static_assert(in_block(reduced) == 0);

constexpr auto along_edges = [](auto v) { return relu(sum(v.in_edges().src(matmul(v(x), W))) + b); };
static_assert(runs(along_edges, {1, 1}) && in_block(along_edges) == 0);

// A product of a row sweep along edges is not chained with it, nor a product summed over vertices.
constexpr auto aggregated = [](auto v) { return matmul(sum(v.in_edges().src(x)), W); };
static_assert(runs(aggregated, {1, 1}) && in_block(aggregated) == 0);

// A sparse product draws for its entries and divides rows by them.
constexpr auto sparse_product = [](auto v) { return relu(matmul(v(sparse_feature<"sx", 4>), W) + b); };
static_assert(runs(sparse_product, {1, 1}) && in_block(sparse_product) == 0);

// Only links that save something: the first product is an output, what comes of it is not.
constexpr auto half_saved = [](auto v) {
  auto h = matmul(v(x), W);
  return outputs(h, relu(matmul(relu(h + b), V)));
};
static_assert(runs(half_saved, {1, 3, 0, 0}) && in_block(half_saved) == 2 && stored(half_saved) == 2);

// ---- lifetimes: a chain's units are at work at once ----

/// Everything that a chain touches lives from its first unit, or from before, to its last, or longer.
constexpr bool lives_through_chains(auto program) {
  const ir::program p = written(program);
  const pass::plan before = unchained(program), plan = chained(program);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const pass::lifetime was = before.lifetimes[i];
    const pass::lifetime is = plan.lifetimes[i];
    if (was.first >= 0 && is.first != plan.chain_of(was.first)) return false;
    if (was.last < 0) continue;
    const int chain = plan.chain_of(was.last);
    if (is.last != chain + plan.units[chain].chained - 1) return false;
  }
  return true;
}
static_assert(lives_through_chains(layer) && lives_through_chains(two_layers) && lives_through_chains(half_saved));
static_assert(lives_through_chains(gathered) && lives_through_chains(along_edges));

// What only the chain's first unit reads is not overwritten by its last.
constexpr auto from_edges = [](auto v) { return relu(matmul(max(v.in_edges().src(x)), W) + b); };
constexpr bool operand_outlives_the_chain() {
  const ir::program p = written(from_edges);
  const pass::plan plan = chained(from_edges);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::max_edges) return plan.lifetimes[i].first == 0 && plan.lifetimes[i].last == 2;
  return false;
}
static_assert(runs(from_edges, {1, 2, 0}) && operand_outlives_the_chain());

// ---- plans without anything to chain stay as they are ----

constexpr bool is_unchanged(auto program) {
  const pass::plan before = unchained(program), plan = chained(program);
  for (int i = 0; i < before.lifetimes.size(); ++i)
    if (before.lifetimes[i].first != plan.lifetimes[i].first || before.lifetimes[i].last != plan.lifetimes[i].last)
      return false;
  return before.stored == plan.stored && before.in_block == plan.in_block;
}
static_assert(is_unchanged(gathered) && is_unchanged(given_too) && is_unchanged(along_edges));
static_assert(!is_unchanged(layer));

}  // namespace stg
