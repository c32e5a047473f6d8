// Scans in constant evaluation: what is traced, trimmed, and cut.
#include <stg/op/list.hpp>          // scan
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, joint_passes

#include <stg/dsl/trace.hpp>  // trace

namespace {

using namespace stg;

constexpr auto x = over<"T">(vertex_feature<"x", 4>);
constexpr auto still = vertex_feature<"still", 4>;
constexpr auto W = parameter<"W", 4, 4>;

constexpr auto loss = [](auto v) {
  auto [last, y, unread] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = tanh(matmul(mean(v.in_edges().src(h)), W) + v(x));
        return next(n).gives(sum(sum(n, axis<0>), all_vertices), n * 2.0);
      },
      zeros<4>(v));
  return sum(stacked(y), axis<0>);
};

constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}
constexpr ir::program joint() {
  const ir::program p = pipeline::canonical(trace(loss));
  return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
}

// One statement, one step, and every rule is kept, before and after the gradient.
static_assert(pass::verify(trace(loss)) == pass::finding());
static_assert(count_of(trace(loss), ir::opcode::scan) == 1 && trace(loss).callees.size() == 1);
static_assert(pass::verify(joint()) == pass::finding());

// What nobody reads is not computed: of three results one, and the state that it is made of.
static_assert(pipeline::canonical(trace(loss)).callees[0].outputs.size() == 3);
static_assert(pipeline::inferred(pipeline::canonical(trace(loss))).callees[0].outputs.size() == 2);

// Afterwards no scan knows of another, and nothing is made anew that is saved: one product forwards, two backwards.
static_assert(count_of(joint(), ir::opcode::scan_gradient) == 0 && count_of(joint(), ir::opcode::scan) == 2);
static_assert(joint().callees.size() == 2);
static_assert(count_of(joint().callees[0], ir::opcode::matmul) == 1 &&
              count_of(joint().callees[1], ir::opcode::tanh) == 0);

// Two equal scans are one; of two steps that differ in a number there are two.
constexpr auto twice = [](auto v) {
  auto once = [](auto v, auto h) { return 0.5 * h + v(x); };
  return scan<"T">(v, once, zeros<4>(v)) * scan<"T">(v, once, zeros<4>(v));
};
constexpr auto another = [](auto v) {
  auto a = scan<"T">(
      v, [](auto v, auto h) { return 0.5 * h + v(x); }, zeros<4>(v));
  return a * scan<"T">(
                 v, [](auto v, auto h) { return 0.25 * h + v(x); }, zeros<4>(v));
};
static_assert(count_of(pipeline::canonical(trace(twice)), ir::opcode::scan) == 1);
static_assert(count_of(pipeline::canonical(trace(another)), ir::opcode::scan) == 2);

// A scan is a unit of its own: what is summed over edges beside it is not.
constexpr auto beside = [](auto v) {
  auto apart = sum(v.in_edges().src(still));
  return outputs(apart, scan<"T">(
                            v, [](auto v, auto h) { return 0.5 * h + v(x); }, v(still)));
};
static_assert(pass::fuse(pipeline::inferred(pipeline::canonical(trace(beside)))).units.size() == 2);

// Random operations of two steps never share a site.
constexpr auto dropped = [](auto v) {
  auto once = [](auto v, auto h) { return dropout(h, 0.5) + v(x); };
  return scan<"T">(v, once, zeros<4>(v)) * scan<"T">(v, once, zeros<4>(v));
};
static_assert(count_of(pipeline::canonical(trace(dropped)), ir::opcode::scan) == 2);

}  // namespace
