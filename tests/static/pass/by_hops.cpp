// by_hops: which rows each statement of a program has on a sample.
#include <stg/compile.hpp>          // canonical
#include <stg/dsl/trace.hpp>        // trace
#include <stg/gradient.hpp>         // gradient
#include <stg/analysis/verify.hpp>  // verify
#include <stg/nn/conv.hpp>          // sage_conv
#include <stg/nn/norm.hpp>          // batch_norm
#include <stg/pass/by_hops.hpp>     // by_hops

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 8>;
constexpr auto w = edge_feature<"w">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto U = parameter<"U", 8, 4>;
constexpr auto V = parameter<"V", 8, 4>;
constexpr auto U2 = parameter<"U2", 4, 3>;
constexpr auto V2 = parameter<"V2", 4, 3>;

constexpr ir::program canonical_of(auto program) { return pipeline::canonical(trace(program)); }
constexpr pass::program_by_hops hops_of(auto program, const sequence<int>& required = {}) {
  return pass::by_hops(pass::written_for_hops(canonical_of(program)), required);
}
constexpr int kinds_of(const pass::program_by_hops& p, ir::block_kind::role what) {
  int n = 0;
  for (const ir::block_kind& k : p.kinds) n += k.what == what;
  return n;
}
constexpr int in_hop(const pass::program_by_hops& p, ir::opcode code, int hop) {
  int n = 0;
  for (const ir::statement& s : p.program.statements)
    n += s.code == code && s.where.set != 0 && p.kinds[s.where.set - 1].hop == hop;
  return n;
}
constexpr pass::block_mistake mistake_of(auto program, const sequence<int>& required = {}) {
  return pass::block_mistake_in(pass::written_for_hops(canonical_of(program)), required);
}
using role = ir::block_kind::role;
using enum pass::block_mistake;

constexpr auto sage = [](auto v) {
  auto h = relu(nn::sage_conv(v, v(x), U, V));
  return nn::sage_conv(v, h, U2, V2);
};
static_assert(pass::verify(hops_of(sage).program) == pass::finding());
static_assert(hops_of(sage).hops == 2);
static_assert(kinds_of(hops_of(sage), role::vertices) == 3, "seeds, their neighbours, and theirs");
static_assert(kinds_of(hops_of(sage), role::edges) == 2);
static_assert(kinds_of(hops_of(sage), role::rows) == 1, "the second layer reads a seed's own row of the first");
static_assert(in_hop(hops_of(sage), ir::opcode::relu, 1) == 1 && in_hop(hops_of(sage), ir::opcode::relu, 0) == 0);
static_assert(hops_of(sage).again.size() == 1, "x of all, and again of those that one hop reaches");
static_assert(hops_of(sage).program.inputs.size() == canonical_of(sage).inputs.size() + 1);

// A hop's rows are summed before they are multiplied where that makes them no wider, trained or not: the product is one
// of the rows of the hop that reads them, here the seeds.
constexpr auto square = parameter<"square", 4, 4>;
constexpr auto keeps_width = [](auto v) {
  auto h = relu(matmul(v(x), U));
  return sum(v.in_edges().src(matmul(h, square)));
};
static_assert(in_hop(hops_of(keeps_width), ir::opcode::matmul, 0) == 1 &&
              in_hop(hops_of(keeps_width), ir::opcode::matmul, 1) == 1);
constexpr auto narrows = [](auto v) { return sum(v.in_edges().src(matmul(relu(matmul(v(x), U)), U2))); };
static_assert(in_hop(hops_of(narrows), ir::opcode::matmul, 1) == 2);

// An input that gets a gradient has one statement, of all vertices; others read their rows of it.
static_assert(hops_of(sage, {0}).again.empty() && in_hop(hops_of(sage, {0}), ir::opcode::input, ir::all_hops) == 1);
static_assert(pass::verify(hops_of(sage, {0}).program) == pass::finding());

// What no edge reads is of the seeds alone.
constexpr auto alone = [](auto v) { return matmul(v(x), U); };
static_assert(hops_of(alone).hops == 0 && hops_of(alone).kinds.size() == 1);

// Edge values are computed again for each hop, random ones by the same site; degrees too.
constexpr auto shared = [](auto v) {
  auto e = v.in_edges();
  auto c = dropout(e(w), 0.5) / e.dst(v.in_degree());
  auto h = sum(c * e.src(x));
  return sum(c * e.src(h)) + v.in_degree();
};
static_assert(pass::verify(hops_of(shared).program) == pass::finding());
static_assert(in_hop(hops_of(shared), ir::opcode::keep_mask, 0) == 1);
static_assert(in_hop(hops_of(shared), ir::opcode::keep_mask, 1) == 1);
static_assert(in_hop(hops_of(shared), ir::opcode::degree, 0) == 1 && kinds_of(hops_of(shared), role::degrees) == 0);
constexpr auto far_degree = [](auto v) { return sum(v.in_edges().src(v.in_degree())); };
static_assert(kinds_of(hops_of(far_degree), role::degrees) == 1, "vertices that were not looked into");

// Reductions go over the seeds, and say so.
constexpr auto loss = [](auto v) { return mean(sum(sage(v), axis<0>), over_batch); };
static_assert(mistake_of(loss) == none && pass::verify(hops_of(loss).program) == pass::finding());
static_assert(in_hop(hops_of(loss), ir::opcode::relu, 1) == 1);
static_assert(mistake_of([](auto v) { return cross_entropy(sage(v), v(label)); }) == none);
static_assert(mistake_of([](auto v) { return sum(v(x), all_vertices); }) == reduces_the_graph);
static_assert(mistake_of([](auto v) { return v(x) - mean(v(x), all_vertices); }) == reduces_the_graph);
static_assert(mistake_of([](auto v) { return mean(v.in_edges()(w), all_edges); }) == reduces_the_graph);
static_assert(mistake_of([](auto v) { return v(x) / v.vertex_count(); }) == counts_the_graph);
static_assert(mistake_of([](auto v) { return sum(v.out_edges().dst(x)); }) == reads_out_edges);
static_assert(mistake_of([](auto v) { return v(x) * v.out_degree(); }) == reads_out_edges);
static_assert(mistake_of([](auto v) { return sum(v.in_edges()(w)); }, {0}) == differentiates_edges);

// What layers go on with is reduced over the rows that it meets there: each of two batch norms over the rows of its
// hop.
constexpr auto mean_so_far = graph_feature<"mean", 4>;
constexpr auto variance_so_far = graph_feature<"variance", 4>;
constexpr auto mean_of_last = graph_feature<"mean_of_last", 3>;
constexpr auto variance_of_last = graph_feature<"variance_of_last", 3>;
constexpr int reduced_in(const pass::program_by_hops& p, ir::opcode code, int hop) {
  int n = 0;
  for (const ir::statement& s : p.program.statements) {
    const int set = s.code == ir::opcode::vertex_count ? s.counted_set()
                    : s.code == code                   ? p.program.operand(s, 0).where.set
                                                       : 0;
    n += s.code == code && set != 0 && p.kinds[set - 1].hop == hop;
  }
  return n;
}
constexpr auto normalised = [](auto v) {
  auto [y, m, s] = nn::batch_norm(nn::sage_conv(v, v(x), U, V), v(mean_so_far), v(variance_so_far));
  auto [z, n, t] = nn::batch_norm(nn::sage_conv(v, relu(y), U2, V2), v(mean_of_last), v(variance_of_last));
  return outputs(cross_entropy(z, v(label)), mean_so_far = m, variance_so_far = s, mean_of_last = n,
                 variance_of_last = t);
};
static_assert(mistake_of(normalised) == none && pass::verify(hops_of(normalised).program) == pass::finding());
static_assert(reduced_in(hops_of(normalised), ir::opcode::sum_vertices, 1) == 3, "mean, what it left, and variance");
static_assert(reduced_in(hops_of(normalised), ir::opcode::sum_vertices, 0) == 4, "the same of the seeds, and the loss");
static_assert(reduced_in(hops_of(normalised), ir::opcode::vertex_count, 1) == 1);
static_assert(reduced_in(hops_of(normalised), ir::opcode::vertex_count, 0) == 1);
static_assert(hops_of(normalised).hops == 2, "its statistics read no further than its values");

// Of what several hops read, the furthest decides, also of what the outputs say of it; numbers of rows are read
// anywhere.
constexpr auto centred = [](auto v) {
  auto m = mean(v(x), over_batch);
  auto h = v(x) - m;
  return outputs(h + mean(v.in_edges().src(h)), m * 2.0);
};
static_assert(reduced_in(hops_of(centred), ir::opcode::sum_vertices, 1) == 1 &&
              reduced_in(hops_of(centred), ir::opcode::sum_vertices, 0) == 0);
static_assert(reduced_in(hops_of(centred), ir::opcode::vertex_count, 1) == 1 &&
              reduced_in(hops_of(centred), ir::opcode::vertex_count, 0) == 0);

// Called plainly, nothing reduces: the statistics are those that were given.
static_assert(pass::block_mistake_in(pass::written_for_hops(canonical_of(normalised), false), {}) == none);
constexpr auto mean_of_x = graph_feature<"mean_of_x", 8>;
constexpr auto over_the_graph = [](auto v) { return v(x) - training(mean(v(x), all_vertices), 0.0 * v(mean_of_x)); };
static_assert(mistake_of(over_the_graph) == reduces_the_graph);
static_assert(pass::block_mistake_in(pass::written_for_hops(canonical_of(over_the_graph), false), {}) == none);

// Steps that carry everything are written one after another, each a hop further from what it reads; others are refused.
constexpr auto repeated = [](auto v) {
  return matmul(scan<3>(
                    v, [](auto v, auto h) { return mean(v.in_edges().src(h)) + v(x); }, v(x)),
                U);
};
static_assert(mistake_of(repeated) == none && hops_of(repeated).hops == 3);
static_assert(pass::verify(hops_of(repeated).program) == pass::finding() &&
              kinds_of(hops_of(repeated), role::edges) == 3);
constexpr auto nested = [](auto v) {
  const auto twice = [](auto v, auto h) {
    return scan<2>(
        v, [](auto v, auto h) { return mean(v.in_edges().src(h)); }, h);
  };
  return scan<2>(v, twice, v(x));
};
static_assert(mistake_of(nested) == none && hops_of(nested).hops == 4);
constexpr auto xs = over<2>(vertex_feature<"xs", 8>);
static_assert(mistake_of([](auto v) {
                return scan<2>(
                    v, [](auto v, auto h) { return h + v(xs); }, v(x));
              }) == repeats);
static_assert(mistake_of([](auto v) {
                return scan<"T">(
                    v, [](auto v, auto h) { return mean(v.in_edges().src(h)); }, v(x));
              }) == repeats);
static_assert(mistake_of([](auto v) {
                return scan<2>(
                    v, [](auto, auto h) { return dropout(h, 0.5); }, v(x));
              }) == repeats);

// What a program calls is written in the places of its calls, each of its own hops.
constexpr auto smoothed = [](auto v, auto h) { return h + mean(v.in_edges().src(h)); };
constexpr auto calling = [](auto v) { return matmul(call(smoothed, v, call(smoothed, v, v(x))), U); };
static_assert(mistake_of(calling) == none && pass::verify(hops_of(calling).program) == pass::finding());
static_assert(hops_of(calling).hops == 2 && kinds_of(hops_of(calling), role::edges) == 2);

// A value of edges that the program gives is of the edges into the seeds.
constexpr auto scores = [](auto v) {
  auto h = matmul(v(x), U);
  auto e = v.in_edges();
  return e.src(h + mean(e.src(h)));
};
static_assert(mistake_of(scores) == none && pass::verify(hops_of(scores).program) == pass::finding());
static_assert(hops_of(scores).hops == 2 && hops_of(scores).program.outputs.size() == 1);
static_assert(hops_of(scores).kinds[hops_of(scores).program[hops_of(scores).program.outputs[0].at].where.set - 1].hop ==
              0);

// A gradient of a layer's own is written for the hop of its results, and goes a hop further out along out-edges.
constexpr auto summed = custom_gradient([](auto v, auto h) { return sum(v.in_edges().src(h)); },
                                        [](auto v, auto d, auto) { return sum(v.out_edges().dst(d)); });
constexpr auto both = custom_gradient([](auto v, auto h, auto p) { return h * p + sum(v.in_edges().src(h)); },
                                      [](auto v, auto d, auto h, auto p) {
                                        return std::tuple(d * p + sum(v.out_edges().dst(d)), sum(d * h, all_vertices));
                                      });
constexpr auto of_own = [](auto v) { return matmul(summed(v, summed(v, v(x))), U); };
constexpr auto a = parameter<"a", 8>;
constexpr auto of_both = [](auto v) { return both(v, both(v, v(x), a), a); };
static_assert(mistake_of(of_own) == none && pass::verify(hops_of(of_own, {0}).program) == pass::finding());
static_assert(hops_of(of_own, {0}).hops == 2 && hops_of(of_own, {0}).program.callees.size() == 2);
static_assert(pass::verify(hops_of(of_both, {0, 1}).program) == pass::finding());
static_assert(hops_of(of_both, {0, 1}).program.callees.size() == 2);
static_assert(pass::written_for_hops(canonical_of(of_both), false).callees.empty(), "without a gradient none is left");

constexpr bool refuses(auto gradient, pass::block_mistake expected) {
  return expected == mistake_of([gradient](auto v) {
           return custom_gradient([](auto v, auto h) { return sum(v.in_edges().src(h)); }, gradient)(v, v(x));
         });
}
// Values of edges are had again for each hop, with a part of the cotangents each: a gradient has to be linear in them.
constexpr bool of_edges(auto gradient, int layers, pass::block_mistake expected) {
  return expected == mistake_of([gradient, layers](auto v) {
           auto c = custom_gradient([](auto, auto s) { return s * s; }, gradient)(v, v.in_edges()(w));
           auto h = v(x);
           for (int k = 0; k < layers; ++k) h = sum(c * v.in_edges().src(h));
           return h;
         });
}
static_assert(of_edges([](auto, auto d, auto s) { return 2.0 * s * d; }, 2, none));
static_assert(of_edges([](auto, auto d, auto) { return tanh(d); }, 1, none));
static_assert(of_edges([](auto, auto d, auto) { return tanh(d); }, 2, splits_cotangents));
static_assert(of_edges([](auto, auto d, auto s) { return d + s; }, 2, splits_cotangents));
static_assert(refuses([](auto, auto d, auto) { return tanh(d); }, none), "of vertices there is one sum");
static_assert(refuses([](auto v, auto d, auto) { return sum(v.in_edges().src(d)); }, spreads_cotangents));
static_assert(refuses([](auto v, auto d, auto) { return mean(v.out_edges().dst(d)); }, reads_out_edges));
static_assert(refuses([](auto v, auto d, auto h) { return d * sum(v.out_edges().dst(h)); }, reads_out_edges));
static_assert(refuses([](auto, auto d, auto h) { return d * sum(h, all_vertices); }, reduces_the_graph));
static_assert(refuses([](auto, auto d, auto) { return d * max(d, all_vertices); }, reduces_the_graph));
static_assert(refuses([](auto v, auto d, auto) { return d / v.vertex_count(); }, counts_the_graph));

// A gradient of a scan that is written step after step knows the scan no more.
constexpr auto slope_of_steps = [](auto v) {
  auto rows = matmul(v(x), U);
  auto last = scan<2>(
      v, [=](auto, auto) { return stg::tanh(rows); }, rows);
  return gradient(sum(sum(last, axis<0>), all_vertices), U);
};
static_assert(pass::verify(canonical_of(slope_of_steps)) == pass::finding() &&
              pass::verify(pass::written_for_hops(canonical_of(slope_of_steps))) == pass::finding());

// Of several kinds each set has its hops, and each relation: papers that two hops reach, by the authors that one does.
constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto written_by = relation<"written by", paper, author>;
constexpr auto words = paper.feature<"words", 8>;
constexpr auto of_sets = [](auto g) {
  auto h = mean(g(author).in_edges(written_by).src(words));
  return matmul(g(paper)(words) + mean(g(paper).in_edges(writes).src(h)), U);
};
static_assert(mistake_of(of_sets) == none && pass::verify(hops_of(of_sets).program) == pass::finding());
static_assert(hops_of(of_sets).hops == 2 && hops_of(of_sets).again.size() == 1);
static_assert(kinds_of(hops_of(of_sets), role::vertices) == 3, "seeds, their authors, and the papers of these");
static_assert(kinds_of(hops_of(of_sets), role::edges) == 2);
static_assert(mistake_of([](auto g) { return sum(g(author).out_edges(writes).dst(words)); }) == reads_out_edges);

}  // namespace
}  // namespace stg
