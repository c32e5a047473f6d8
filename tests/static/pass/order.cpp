// order: traces that differ only in what was evaluated first are one program.
#include <stg/op/list.hpp>     // mul, dropout
#include <stg/dsl/trace.hpp>   // trace
#include <stg/pass/cse.hpp>    // cse
#include <stg/pass/order.hpp>  // order, reorder

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", stg::extent<"F">>;
constexpr auto y = vertex_feature<"y", stg::extent<"G">>;
constexpr auto left_first = [](auto v) {
  auto a = dropout(v(x), 0.5);
  auto b = dropout(v(y), 0.1);
  return sum(a, axis<0>) * sum(b, axis<0>);
};
constexpr auto right_first = [](auto v) {
  auto b = dropout(v(y), 0.1);
  auto a = dropout(v(x), 0.5);
  return sum(a, axis<0>) * sum(b, axis<0>);
};
static_assert(!(trace(left_first) == trace(right_first)), "inputs, extents and sites are numbered as they were met");
static_assert(pass::order(trace(left_first)) == pass::order(trace(right_first)));
static_assert(pass::order(pass::order(trace(left_first))) == pass::order(trace(left_first)));
static_assert(pass::reorder(pass::order(trace(left_first))) == pass::order(trace(left_first)));

constexpr auto unused = [](auto v) {
  v(y);
  return v(x) + 1.0;
};
static_assert(pass::order(trace(unused)).inputs.size() == 2, "an input that nothing needs is still bound");
static_assert(pass::order(trace(unused)).inputs[0].name.view() == "x");
static_assert(pass::reorder(pass::order(trace(unused))).size() == 3, "but reorder drops its statement");

}  // namespace
}  // namespace stg
