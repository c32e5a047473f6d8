// edge_plan: in which way the values of a loop are computed, in which group, and what is known to be a softmax.
#include "../pass/symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/fuse.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/plan.hpp>

namespace stg {

using pass::edge_mode;

constexpr auto number = vertex_feature<"number">;
constexpr auto two = edge_feature<"two", 2>;
constexpr auto eight = edge_feature<"eight", 2, 4>;
constexpr auto line = edge_feature<"line", 1, 16>;
constexpr auto flat = vertex_feature<"flat", 1, 16>;
constexpr auto row = parameter<"row", 1, 4>;
constexpr auto W2 = parameter<"W2", 2, 2>;

static_assert(pass::narrow_stride(1) == 1 && pass::narrow_stride(2) == 2 && pass::narrow_stride(3) == 4);
static_assert(pass::narrow_stride(4) == 4 && pass::narrow_stride(5) == 8 && pass::narrow_stride(8) == 8);

struct program_and_plan {
  ir::program p{};
  pass::plan plan{};
  constexpr ir::value_id first(ir::opcode code) const {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (p[i].code == code) return i;
    return ir::no_value;
  }
  /// In the last loop.
  constexpr edge_mode mode(ir::opcode code) const { return plan.mode(plan.loops.size() - 1, first(code)); }
  constexpr pass::planned_value value(ir::opcode code) const {
    const pass::planned_loop& last = plan.loops[plan.loops.size() - 1];
    for (int k = last.first_statement; k < last.last_statement; ++k)
      if (plan.loop_statements[k].at == first(code)) return plan.loop_statements[k];
    return pass::planned_value();
  }
  constexpr int softmaxes() const {
    int n = 0;
    for (const pass::planned_value& v : plan.loop_statements) n += v.softmax >= 0;
    return n;
  }
  constexpr int divided() const {
    int n = 0;
    for (const pass::planned_result& r : plan.loop_results) n += r.over >= 0;
    return n;
  }
};
constexpr program_and_plan of(auto program) {
  program_and_plan made;
  made.p = pass::dce(pass::fold(pass::cse(pass::order(trace(program)))));
  made.plan = pass::make_plan(made.p, pass::fuse(made.p));
  return made;
}

// ---- in which way ----

static_assert(of([](auto v) { return sum(stg::exp(v.in_edges()(eight) * 2.0)); }).mode(ir::opcode::mul) ==
                  edge_mode::across,
              "with one number of the graph");
static_assert(of([](auto v) { return sum(stg::exp(v.in_edges()(eight) * v(row))); }).mode(ir::opcode::mul) ==
                  edge_mode::rows,
              "with a row that is repeated");
// Under another shape a value is computed once and read where it lies, though its reader is of its own shape again.
static_assert(of([](auto v) {
                auto e = v.in_edges();
                return sum(stg::sum(reshape<2, 2>(e.src(x) - e(w)), axis<1>));
              }).mode(ir::opcode::sub) == edge_mode::rows);
static_assert(of([](auto v) {
                auto e = v.in_edges();
                return sum(reshape<16>(e.src(flat) - e(w)) * e(line));
              }).mode(ir::opcode::sub) == edge_mode::rows);
static_assert(of([](auto v) {
                auto e = v.in_edges();
                return sum((e.src(flat) - e(w)) * e(line));
              }).mode(ir::opcode::sub) == edge_mode::joined);

// ---- in which order ----

// A product's row is read where it lies: it waits for no group, not for that of its operand either.
constexpr auto product_of_a_group = [](auto v) {
  auto e = v.in_edges();
  auto scores = stg::exp(e(two));
  return sum(matmul(scores, W2) * scores);
};
static_assert(of(product_of_a_group).value(ir::opcode::matmul).at >= 0 &&
              of(product_of_a_group).value(ir::opcode::exp).at >= 0);
static_assert(of(product_of_a_group).value(ir::opcode::matmul).level == 0);

// ---- softmax ----

/// exp(x - most) · share, whatever x is.
template <class S, class Sh, scalar_type T>
constexpr auto softmax_of(expr<S, Sh, T> x, const auto& most, const auto& share) {
  return detail::emit<S, Sh, T>(x.trace, ir::opcode::softmax_edges, x.id, most.id, share.id);
}
static_assert(of([](auto v) {
                auto e = v.in_edges();
                auto score = e(w) + v(number);
                return sum(softmax(score) * e.src(x));
              }).softmaxes() == 1);
static_assert(of([](auto v) {
                auto e = v.in_edges();
                auto score = e(w) + v(number);
                return sum(stg::exp(score - e.dst(log_sum_exp(score))) * e.src(x));
              }).softmaxes() == 0,
              "by the logarithm of the sum, which is rounded");
static_assert(of([](auto v) {
                auto e = v.in_edges();
                auto score = stg::sin(e(two));
                auto share = detail::aggregate<ir::opcode::top_share_edges>(score);
                return sum(softmax_of(reshape<1, 2>(score), e.dst(max(score)), e.dst(share)));
              }).softmaxes() == 0,
              "under another shape");

/// Sums that are divided once by the softmax's own sum: scores of a shape, messages of another.
template <int... Message> constexpr int divided_of(const auto& score) {
  return of([=](auto v) {
           auto e = v.in_edges();
           return sum(softmax(stg::sin(e(score))) * e.src(vertex_feature<"message", Message...>));
         })
      .divided();
}
static_assert(divided_of<2, 4>(edge_feature<"s">) == 1, "one number for all features");
static_assert(divided_of<2, 4>(edge_feature<"s", 2, 1>) == 1, "one for those of a head");
static_assert(divided_of<2, 4>(edge_feature<"s", 2, 4>) == 1, "one for each");
static_assert(divided_of<4, 1>(edge_feature<"s", 1, 1>) == 1, "one for all, of two axes");
static_assert(divided_of<2, 4>(edge_feature<"s", 1, 4>) == 0, "one for the same feature of all heads");
static_assert(divided_of<2, 1, 4>(edge_feature<"s", 1, 1, 4>) == 0, "with an axis of one between them");
static_assert(divided_of<2, 4>(edge_feature<"s", 4>) == 0, "of fewer axes");
static_assert(divided_of<2, 2>(edge_feature<"s", 2>) == 0, "of fewer axes, as long as the first");

// A reduction of the last axes, of all of them, too.
constexpr int last_axes(std::int64_t axes) {
  ir::statement reduction;
  reduction.set_axes(axes);
  ir::shape dims;
  dims.push(ir::extent(2));
  dims.push(ir::extent(4));
  return pass::reduced_last_axes(reduction, dims);
}
static_assert(last_axes(0b11) == 2 && last_axes(0b10) == 1 && last_axes(0b01) == 0);

}  // namespace stg
