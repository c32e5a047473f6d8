// test: draft runtime
// pass::emit_call at run time: what is passed to a program is of the kind of its inputs.
#include <stg/dsl/trace.hpp>   // trace
#include <stg/op/list.hpp>     // operators
#include <stg/pass/call.hpp>   // emit_call
#include <stg/pass/order.hpp>  // order

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

inline constexpr auto x = vertex_feature<"x", 4>;

TEST(emit_call, refuses_values_of_another_kind) {
  const ir::program called = pass::order(trace([](auto v) { return v(x) * 2.0; }));
  ir::program caller = pass::order(trace([](auto v) { return v(x); }));
  const ir::statement like = caller[0];
  const auto with = [&](auto change) {
    ir::statement s = like;
    change(s);
    return pass::emit_input(caller, s, s.over);
  };
  const ir::value_id per_edge = with([](ir::statement& s) { s.where = ir::space::edge; });
  const ir::value_id in_double = with([](ir::statement& s) { s.type = f64; });
  const ir::value_id wider = with([](ir::statement& s) { s.dims.axes[0] = ir::extent(5); });
  const ir::value_id of_steps = with([](ir::statement& s) { s.over = ir::extent(3); });
  for (const ir::value_id other : {per_edge, in_double, wider, of_steps})
    EXPECT_THROW(pass::emit_call(caller, called, {other}), call_passes_other_values);
  EXPECT_THROW(pass::emit_call(caller, called, {}), call_passes_other_values);
  EXPECT_THROW(pass::emit_call(caller, called, {0, 0}), call_passes_other_values);
  EXPECT_NO_THROW(pass::emit_call(caller, called, {0}));
}

}  // namespace
}  // namespace stg
