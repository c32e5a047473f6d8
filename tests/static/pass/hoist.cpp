// hoist: what depends on fixed inputs alone is computed once; (A x) W leaves no sweep forward or backward.
#include <stg/compile.hpp>     // with_fixed, differentiated, executable
#include <stg/dsl/scope.hpp>   // scope
#include <stg/dsl/trace.hpp>   // ref
#include <stg/nn/conv.hpp>     // gcn_conv
#include <stg/pass/hoist.hpp>  // hoist

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 16>;
constexpr auto y = vertex_feature<"y", 16>;
constexpr auto w = edge_feature<"w">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto W1 = parameter<"W1", 16, 8>;
constexpr auto b1 = parameter<"b1", 8>;
constexpr auto W2 = parameter<"W2", 8, 3>;

constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}
constexpr int entry_of(const ir::program& p, std::string_view name) {
  for (int i = 0; i < p.inputs.size(); ++i)
    if (p.inputs[i].name.view() == name) return static_cast<int>(i);
  return -1;
}
constexpr bool reads(const ir::program& p, std::string_view name) {
  bool any = false;
  for (const ir::statement& s : p.statements)
    any = any || (s.code == ir::opcode::input && s.entry() == entry_of(p, name));
  return any;
}
/// A program cut where the inputs of these names are fixed.
template <class... Name> constexpr pass::hoisted cut(auto program, Name... names) {
  const ir::program p = pass::cse(pass::order(trace(program)));
  const sequence<int> entries{entry_of(p, names)...};
  return pass::hoist(pass::dce(pass::aggregate_first(p, entries)), entries);
}
constexpr int kept(const pass::hoisted& h) { return h.prologue.outputs.size(); }
constexpr ir::opcode kept_code(const pass::hoisted& h, int k) { return h.prologue[h.prologue.outputs[k].at].code; }

// A graph convolution of fixed features: one array is kept, normalised on both sides, and a dense product is left.
constexpr auto layer = [](auto v) { return nn::gcn_conv(v, v(x), W1) + b1; };
static_assert(kept(cut(layer, "x")) == 1);
static_assert(count_of(cut(layer, "x").prologue, ir::opcode::sum_edges) == 1);
static_assert(kept_code(cut(layer, "x"), 0) == ir::opcode::mul, "1/√degree · Σ, not Σ");
static_assert(cut(layer, "x").rest.size() == 5, "kept, W1, their product, b1, their sum");
static_assert(count_of(cut(layer, "x").rest, ir::opcode::matmul) == 1 && !reads(cut(layer, "x").rest, "x"));
static_assert(!reads(cut(layer, "x").prologue, "W1"));

// Without x the coefficients are kept; the sum is the rest's.
static_assert(kept(cut(layer, "b1")) == 1 && kept_code(cut(layer, "b1"), 0) == ir::opcode::select);
static_assert(count_of(cut(layer, "b1").rest, ir::opcode::sum_edges) == 1 && reads(cut(layer, "b1").rest, "x"));

// Hops of hops; what another input touches stays.
constexpr auto hops = [](auto v) {
  auto e = v.in_edges();
  return matmul(sum(e.src(sum(e.src(v(x))))), W1) + sum(matmul(v(y), W1), axis<0>);
};
static_assert(kept(cut(hops, "x")) == 1 && count_of(cut(hops, "x").prologue, ir::opcode::sum_edges) == 2);
static_assert(count_of(cut(hops, "x").rest, ir::opcode::sum_edges) == 0 && reads(cut(hops, "x").rest, "y"));
static_assert(count_of(cut(hops, "x").rest, ir::opcode::matmul) == 2);

// A weight per edge: fixed with the features, or not.
constexpr auto weighted = [](auto v) { return sum(v.in_edges()(w) * v.in_edges().src(matmul(v(x), W1))); };
static_assert(count_of(cut(weighted, "x", "w").rest, ir::opcode::sum_edges) == 0);
static_assert(kept(cut(weighted, "x")) == 0, "nothing but the input itself is fixed");
static_assert(cut(weighted, "x").rest == pass::dce(pass::cse(pass::order(trace(weighted)))), "the sum is of 8, not 16");

// Random values are drawn in every call, and all that they touch is computed in every call.
constexpr auto dropped = [](auto v) { return sum(v.in_edges().src(dropout(v(x), 0.5))); };
static_assert(kept(cut(dropped, "x")) == 0 && count_of(cut(dropped, "x").rest, ir::opcode::keep_mask) == 1);

// Per-edge values are computed again from what is kept per vertex; cheap arithmetic is not kept.
constexpr auto coefficients = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e(w)) * e.src(y));
};
static_assert(kept(cut(coefficients, "w")) == 2 && kept_code(cut(coefficients, "w"), 0) == ir::opcode::max_edges &&
              kept_code(cut(coefficients, "w"), 1) == ir::opcode::top_share_edges);
static_assert(count_of(cut(coefficients, "w").rest, ir::opcode::softmax_edges) == 1 &&
              reads(cut(coefficients, "w").rest, "w"));
constexpr auto shifted = [](auto v) { return (v(x) + 1.0) * v(y); };
static_assert(kept(cut(shifted, "x")) == 0 && reads(cut(shifted, "x").rest, "x"));
constexpr auto multiplied = [](auto v) { return matmul(v(x) + 1.0, W1); };
static_assert(kept(cut(multiplied, "x")) == 1, "stored for the product in every call otherwise");

// Kept is what comes after the sum as well, while it is no wider; reshapes are other names of what is kept.
constexpr auto activated = [](auto v) { return relu(sum(v.in_edges().src(x))) * v(y); };
static_assert(kept(cut(activated, "x")) == 1 && kept_code(cut(activated, "x"), 0) == ir::opcode::relu);
constexpr auto outer = [](auto v) {
  auto s = sum(v.in_edges().src(x));
  return sum(reshape<16, 1>(s) * reshape<1, 16>(s) * reshape<1, 16>(v(y)), axis<1>);
};
static_assert(kept(cut(outer, "x")) == 1 && kept_code(cut(outer, "x"), 0) == ir::opcode::sum_edges);

// ---- what is worth keeping ----

/// A value squared again and again, with a fixed one.
template <int N> constexpr auto squared(const auto& a) {
  if constexpr (N == 0) return a;
  else return squared<N - 1>(a * a);
}
constexpr auto beside = vertex_feature<"beside">;
constexpr auto number = scalar<"number">;
constexpr auto eight = vertex_feature<"eight", 8>;
constexpr auto wide_one = parameter<"wide_one", 1, 1>;

// Arithmetic: a row of more than twelve operations, one number of four.
static_assert(kept(cut([](auto v) { return squared<2>(v(x) + 0.5) * v(y); }, "x")) == 0, "seven");
static_assert(kept(cut([](auto v) { return squared<3>(v(x) + 0.5) * v(y); }, "x")) == 1, "fifteen");
static_assert(kept(cut([](auto v) { return squared<40>(v(x)) * v(y); }, "x")) == 1,
              "whatever the number of operations");
static_assert(kept(cut([](auto v) { return (v(x) / (v(x) + 0.5)) * v(y); }, "x")) == 0, "a row of five");
static_assert(kept(cut([](auto v) { return exp(v(x)) * v(y); }, "x")) == 0, "a row of twelve");
static_assert(kept(cut([](auto v) { return (1.0 / v(beside)) * v(y); }, "beside")) == 1, "one number of four");
static_assert(kept(cut([](auto v) { return (1.0 / v(number)) * v(y); }, "number")) == 0, "there is one for the graph");
static_assert(kept(cut([](auto v) { return ((v(beside) + 1.0) * v(beside) - 0.5) * v(y); }, "beside")) == 0,
              "of three");

// A row that is computed from a row is as wide as that, under another shape, too; one that repeats a number is wider.
static_assert(kept_code(cut([](auto v) { return sum(v.in_edges().src(x)) * v(wide_one) * reshape<1, 16>(v(y)); }, "x",
                            "wide_one"),
                        0) == ir::opcode::mul);
static_assert(kept_code(cut([](auto v) { return sum(v.in_edges().src(beside)) * v(b1) * v(eight); }, "beside", "b1"),
                        0) == ir::opcode::sum_edges);

// So is a row with zeros beside it, which the gradient of a part is.
constexpr auto padded = [](auto v) {
  auto row = sum(v.in_edges().src(x));
  ir::statement pad =
      detail::statement_of<space::vertex, shape<32>, scalar_type::f32>(*v.trace, ir::opcode::pad, row.id);
  pad.set_beginning(ir::extent(0));
  pad.set_part_axis(0);
  return detail::emit_with<space::vertex, shape<32>, scalar_type::f32>(v.trace, pad) * v(vertex_feature<"y32", 32>);
};
static_assert(kept_code(cut(padded, "x"), 0) == ir::opcode::sum_edges);

// What is cut keeps the scopes that it was in, and only what is left is written.
constexpr auto in_a_scope = [](auto v) {
  return scope<"hop">(v, [](auto v) { return sum(v.in_edges().src(x)); }) * v(y);
};
static_assert(cut(in_a_scope, "x").rest[cut(in_a_scope, "x").rest.size() - 1].code == ir::opcode::mul);
constexpr bool is_in_scope(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::input && s.scopes == 1) return true;
  return false;
}
static_assert(is_in_scope(cut(in_a_scope, "x").rest));

// The whole of training: no sweep of the first layer is left, forward or backward, though it narrows.
constexpr auto loss = [](auto v) {
  auto h = relu(nn::gcn_conv(v, v(x), W1) + b1);
  return cross_entropy(nn::gcn_conv(v, h, W2), v(label), v(known));
};
template <class P> constexpr int edge_sweeps() {
  int n = 0;
  for (int u = 0; u < P::plan.unit_count; ++u) n += P::plan.units[u].side != pass::sweep_side::none;
  return n;
}
constexpr int x_entry = entry_of(canonical<ref<loss>>::value.thaw(), "x");
using plain = differentiated<ref<loss>, provided<0>, required<>>;
using fixed_x = with_fixed<ref<loss>, true, x_entry>;
using with_x = differentiated<fixed_x, provided<0>, required<>>;
static_assert(edge_sweeps<executable<plain::forward>>() == 2 && edge_sweeps<executable<plain::gradient>>() == 2);
static_assert(edge_sweeps<executable<with_x::forward>>() == 1 && edge_sweeps<executable<with_x::gradient>>() == 1);
static_assert(edge_sweeps<executable<inferred<prologue_of<fixed_x>>>>() == 1);
static_assert(with_x::gradient::value.room.outputs == plain::gradient::value.room.outputs);

// Called plainly a mask keeps everything, so that what it touched is fixed.
constexpr auto dropping = [](auto v) { return matmul(sum(v.in_edges().src(dropout(v(x), 0.5))), W1); };
constexpr int dropping_entry = entry_of(canonical<ref<dropping>>::value.thaw(), "x");
static_assert(stage::hoisted<ref<dropping>, true, dropping_entry>::kept == 0);
static_assert(stage::hoisted<ref<dropping>, false, dropping_entry>::kept == 1);

}  // namespace
}  // namespace stg
