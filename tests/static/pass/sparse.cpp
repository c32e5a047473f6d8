// Sparse features in the passes: their masks are drawn by the products that read them, and nothing is stored for them.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/fuse.hpp>
#include <stg/pass/inference.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/save.hpp>

namespace stg {

constexpr auto sx = sparse_feature<"sx", 4>;

constexpr auto dropped = [](auto v) { return matmul(dropout(v(sx), 0.5), W); };
constexpr auto kept = [](auto v) { return matmul(v(sx), W); };
static_assert(pass::order(pass::fold(pass::inference(trace(dropped)))) == pass::order(trace(kept)));
static_assert(pass::verify(trace(dropped)).what == op::rule::none);
static_assert(count_of(trace([](auto v) { return matmul(dropout(v(sx), 0.0), W); }), ir::opcode::keep_mask) == 0,
              "none is drawn that keeps everything");

// Scaling waits for the product, whichever side it is written on and however often.
constexpr auto scaled = [](auto v) { return matmul(v(vertex_feature<"s">) * dropout(2.0 * v(sx), 0.5), W); };
constexpr auto after = [](auto v) { return matmul(dropout(v(sx), 0.5), W) * (v(vertex_feature<"s">) * 2.0); };
static_assert(count_of(trace(scaled), ir::opcode::sparse_matmul) == 1 &&
              count_of(trace(scaled), ir::opcode::mul) == 2 && count_of(trace(after), ir::opcode::mul) == 2);

// The gradient of the parameter is a sparse product too, with the same mask, and saves nothing.
constexpr pass::differentiated halves() {
  const ir::program p = pass::fold(pass::cse(trace(dropped)));
  const ir::program joint = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return pass::split(pass::dce(joint), 1, {0}, p.inputs.size());
}
static_assert(halves().forward.outputs.size() == 1);
static_assert(count_of(halves().gradient, ir::opcode::sparse_reduced_matmul) == 1);
static_assert(count_of(halves().gradient, ir::opcode::keep_mask) == 1);
static_assert(pass::verify(halves().gradient).what == op::rule::none);

// One unit, in which nothing but the product is computed: the mask has no memory and no step.
constexpr bool is_one_product() {
  const ir::program p = pass::dce(pass::cse(trace(dropped)));
  const pass::fusion f = pass::fuse(p);
  int stored = 0;
  for (const unsigned char s : f.stored) stored += s;
  return f.units.size() == 1 && f.units[0].kind == pass::unit_kind::product && f.units[0].statements.size() == 1 &&
         stored == 1;
}
static_assert(is_one_product());

}  // namespace stg
