// split: what is saved for the gradient, and what is computed, read or drawn again.
#include "symbols.hpp"

#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/save.hpp>

namespace stg {

constexpr pass::differentiated halves(auto program) {
  const ir::program p = pass::fold(pass::cse(trace(program)));
  const ir::program joint = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return pass::split(pass::dce(pass::algebra(joint)), 1, {0}, p.inputs.size());
}
/// The only value that is saved comes from this operation.
constexpr bool saves_only(auto program, ir::opcode code) {
  const pass::differentiated d = halves(program);
  return d.forward.outputs.size() == 2 && d.forward[d.forward.outputs[1].at].code == code;
}
constexpr bool saves_nothing(auto program) { return halves(program).forward.outputs.size() == 1; }
constexpr int in_gradient(auto program, ir::opcode code) { return count_of(halves(program).gradient, code); }

// A cheap chain on inputs is computed again, a costly one is saved.
constexpr auto cheap = [](auto v) { return relu(v(x) * 2.0) * v(y); };
constexpr auto costly = [](auto v) { return stg::tanh(v(x)) * v(y); };
static_assert(saves_nothing(cheap) && in_gradient(cheap, ir::opcode::relu) == 1);
static_assert(saves_only(costly, ir::opcode::tanh) && in_gradient(costly, ir::opcode::tanh) == 0);

// A wide value that lacks one costly number is computed again from that number, which is saved in its place.
constexpr auto lacks_one = [](auto v) {
  auto scaled = v(trainable(vertex_feature<"sixteen", 16>)) * stg::tanh(v(vertex_feature<"s">));
  return scaled * scaled * scaled;
};
static_assert(saves_only(lacks_one, ir::opcode::tanh) && in_gradient(lacks_one, ir::opcode::tanh) == 0);

// What lies in memory anyway is saved, and a cheap chain starts from there.
constexpr auto dense = [](auto v) { return sum(relu(matmul(v(x), W)) * 3.0, axis<0>) * v(vertex_feature<"z">); };
static_assert(saves_only(dense, ir::opcode::matmul) && in_gradient(dense, ir::opcode::relu) == 1);

// Aggregates are saved; per-edge values never are, whatever they cost.
constexpr auto aggregate = [](auto v) { return sum(v.in_edges().src(x)) * v(y); };
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(stg::tanh(e.src(x) * e(w)));
};
static_assert(saves_only(aggregate, ir::opcode::sum_edges));
static_assert(saves_nothing(attention) && in_gradient(attention, ir::opcode::tanh) == 1);

// A maximum along an axis is compared with what it was taken of: where that is computed again, so is the maximum,
// though both together cost more than is done again elsewhere. What it is taken of may have another shape in memory.
constexpr auto largest = [](auto v) {
  auto chain = v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x);  // 12
  return max(chain, axis<0>) * v(vertex_feature<"z">);
};
static_assert(saves_nothing(largest) && in_gradient(largest, ir::opcode::reduce_max) == 1);
constexpr auto largest_of_rows = [](auto v) {
  auto rows = reshape<2, 1>(matmul(v(x), W));
  return max(rows, axis<0>) * v(vertex_feature<"z", 1>);
};
static_assert(saves_only(largest_of_rows, ir::opcode::matmul) &&
              in_gradient(largest_of_rows, ir::opcode::reduce_max) == 1);

// A gradient knows the scopes of the program, and those of what it reads.
constexpr auto in_scope = [](auto v) {
  return scope<"inner">(
      v, [](auto u, auto s) { return stg::tanh(s) * u(y); }, v(x));
};
constexpr bool reads_within_scope(const ir::program& gradient) {
  bool found = false;
  for (const ir::statement& s : gradient.statements) found = found || (s.code == ir::opcode::input && s.scopes != 0);
  return found && !gradient.scopes.empty();
}
static_assert(reads_within_scope(halves(in_scope).gradient));

// A mask is drawn again.
constexpr auto random = [](auto v) { return dropout(v(x), 0.5) * v(y); };
static_assert(saves_nothing(random) && in_gradient(random, ir::opcode::keep_mask) == 1);
static_assert(in_gradient([](auto v) { return dropout(v(x), 0.0) * v(y); }, ir::opcode::keep_mask) == 0,
              "none is drawn that keeps everything");

// elu's gradient is written in its result: the pre-activation is not saved beside it.
constexpr auto activated = [](auto v) { return elu(sum(v.in_edges().src(x)) + v(y), 1.0); };
static_assert(saves_nothing([](auto v) { return v(x) + v(y); }));
static_assert(halves(activated).forward.outputs.size() == 2 &&
              halves(activated).forward.outputs[1].at == halves(activated).forward.outputs[0].at);

}  // namespace stg
