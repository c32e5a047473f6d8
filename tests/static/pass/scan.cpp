// Scans in constant evaluation: what is traced, trimmed, and cut.
#include <stg/op/list.hpp>          // scan
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, joint_passes

#include <stg/dsl/keep.hpp>   // saved
#include <stg/dsl/scope.hpp>  // named
#include <stg/dsl/trace.hpp>  // trace
#include <stg/op/tag.hpp>     // stored, tag

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

// Parameters for each step may be written among themselves, as those that are the same at all may.
constexpr auto k = over<"T">(parameter<"k", 4>);
constexpr auto b = parameter<"b", 4>;
constexpr ir::program stepped(auto body) {
  return trace([=](auto v) {
    return scan<"T">(
        v, [=](auto v, auto h) { return h + body(v); }, v(still));
  });
}
static_assert(stepped([](auto) { return 2.0 * k; }) == stepped([](auto v) { return 2.0 * v(k); }));
static_assert(stepped([](auto) { return k * b; }) == stepped([](auto v) { return v(k) * v(b); }));
static_assert(stepped([](auto) { return relu(k) + sum(k * k, axis<0>); }) ==
              stepped([](auto v) { return relu(v(k)) + sum(v(k) * v(k), axis<0>); }));
constexpr auto within = [](auto v) {  // of the scan around it
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<2>(
            v, [](auto, auto h) { return h + exp(k); }, h);
      },
      v(still));
};
static_assert(pass::verify(trace(within)) == pass::finding());
constexpr auto outside = [](auto v) { return v(still) + 2.0 * k; };
static_assert(detail::recorded(outside).wrong == ir::mistake::steps_read_outside);
constexpr auto of_others = [](auto v) {
  return scan<"S">(
      v, [](auto, auto h) { return h + 2.0 * k; }, v(still));
};
static_assert(detail::recorded(of_others).wrong == ir::mistake::steps_of_another_scan);

// What a scan gave for each step takes words as other values do.
constexpr auto with_words = [](auto v) {
  return named<"all">(stored(saved(tag<"day">(scan<"T">(v, [](auto v) { return tanh(v(x)); })))));
};
static_assert(pass::verify(trace(with_words)) == pass::finding());
static_assert(trace(with_words).names.size() == 1 && trace(with_words).tags.size() == 1);
static_assert(trace(with_words).decisions.size() == 2);

}  // namespace
