// hoist_steps: what is the same at every step is computed before the scan, once; all else stays in the step.
#include <stg/dsl/trace.hpp>         // trace
#include <stg/gradient.hpp>          // gradient
#include <stg/ir/attachments.hpp>    // carry_attachments
#include <stg/ir/callees.hpp>        // arguments_of, emit_arguments
#include <stg/nn/conv.hpp>           // gcn_conv
#include <stg/op/list.hpp>           // scan
#include <stg/analysis/verify.hpp>   // verify
#include <stg/pass/hoist_steps.hpp>  // hoist_steps
#include <stg/pipeline.hpp>          // canonical, joint_passes

namespace {

using namespace stg;

constexpr auto x = over<"T">(vertex_feature<"x", 4>);
constexpr auto s = vertex_feature<"s", 4>;
constexpr auto w = edge_feature<"w">;
constexpr auto W = parameter<"W", 4, 4>;
constexpr auto U = parameter<"U", 4, 4>;

constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& each : p.statements) n += each.code == code;
  return n;
}
/// How often an operation stands around the only scan of a program, and in its step.
struct places {
  int around = 0, inside = 0;
  constexpr bool operator==(const places&) const = default;
};
constexpr places places_of(const ir::program& p, ir::opcode code) {
  return {count_of(p, code), count_of(p.callees[0], code)};
}
constexpr ir::program canonical(auto lambda) { return pipeline::canonical(trace(lambda)); }
constexpr ir::program joint(auto lambda) {
  const ir::program p = canonical(lambda);
  return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
}

// The normalisation of a convolution is a sum over the weights of edges, which a call may have others of at each step.
constexpr auto convolved = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h + nn::gcn_conv(nn::weighted(v, w), v(x), W)); }, zeros<4>(v));
  return sum(sum(square(last), axis<0>), all_vertices);
};
static_assert(pass::verify(canonical(convolved)) == pass::finding());
static_assert(places_of(canonical(convolved), ir::opcode::sum_edges) == places{0, 2});
static_assert(places_of(canonical(convolved), ir::opcode::rsqrt) == places{0, 1});

// A product of what stays the same is made once, and so is its gradient: one product of a sum of cotangents.
constexpr auto shifted = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h * v(x) + matmul(v(s), W)); }, zeros<4>(v));
  return sum(sum(square(last), axis<0>), all_vertices);
};
static_assert(places_of(canonical(shifted), ir::opcode::matmul) == places{1, 0});
static_assert(pass::verify(joint(shifted)) == pass::finding());
static_assert(count_of(joint(shifted), ir::opcode::reduced_matmul) == 1);
static_assert(count_of(joint(shifted).callees[0], ir::opcode::reduced_matmul) == 0 &&
              count_of(joint(shifted).callees[1], ir::opcode::reduced_matmul) == 0);

// What stays: cheap arithmetic, values of edges, random values, and what a carried value or a step's own went into.
constexpr auto left_alone = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        return h + (v(s) + 1.0) * sum(exp(e(w)) * e.src(x)) + matmul(dropout(v(s), 0.5), W) + matmul(h, W);
      },
      zeros<4>(v));
};
static_assert(places_of(canonical(left_alone), ir::opcode::add).around == 0);
static_assert(places_of(canonical(left_alone), ir::opcode::exp) == places{0, 1});
static_assert(places_of(canonical(left_alone), ir::opcode::keep_mask) == places{0, 1});
static_assert(places_of(canonical(left_alone), ir::opcode::matmul) == places{0, 2});
static_assert(places_of(canonical(left_alone), ir::opcode::sum_edges) == places{0, 1});
// A feature of a step is another one at the next, whatever is made of it.
constexpr auto projected = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return tanh(h + matmul(v(x), W)); }, v(s));
};
static_assert(places_of(canonical(projected), ir::opcode::matmul) == places{0, 1});
// A call is no repetition: nothing of it would be computed less often.
constexpr auto called = [](auto v) {
  return call([](auto, auto h, auto M) { return tanh(matmul(h, M)); }, v, v(s), W);
};
static_assert(places_of(canonical(called), ir::opcode::matmul) == places{0, 1});
// Called plainly there is no mask, but that is known only later: each step keeps its product.
static_assert(pass::verify(pipeline::inferred(canonical(left_alone))) == pass::finding());

// Of several scans each reads the results of the one before it, whatever has moved between them.
constexpr auto in_a_row = [](auto v) {
  auto first = scan<3>(
      v, [](auto v, auto h) { return tanh(h + matmul(v(s), W)); }, v(s));
  auto second = scan<3>(
      v, [](auto v, auto h) { return tanh(h + matmul(v(s), U)); }, first);
  return scan<3>(
      v, [](auto, auto h) { return sin(h); }, second);
};
constexpr bool follow_each_other() {
  const ir::program p = canonical(in_a_row);
  ir::value_id last = ir::no_value;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::scan) continue;
    const sequence<ir::value_id> reads = ir::arguments_of(p, p[i]);
    if (reads.empty() || (last != ir::no_value && p[reads[0]].operands[0] != last)) return false;
    last = i;
  }
  return pass::verify(p) == pass::finding() && p.callees.size() == 3 && count_of(p, ir::opcode::matmul) == 2;
}
static_assert(follow_each_other());

// Where nothing leaves a step it stays as it is, with what nobody reads; and so does a program without one.
constexpr bool stays_as_it_is() {
  ir::program p = pass::order(trace([](auto v) {
    return scan<3>(
        v, [](auto, auto h) { return h * 0.5; }, v(s));
  }));
  ir::program step = p.callees[0];
  ir::statement unread = step[step.outputs[0].at];
  unread.code = ir::opcode::add;
  step.emit(unread);
  p.callees[0] = step;
  ir::program none = pass::order(trace([](auto v) { return tanh(v(s)); }));
  unread = none[none.outputs[0].at];
  none.append(unread);
  return pass::hoist_steps(p) == p && pass::hoist_steps(none) == none;
}
static_assert(stays_as_it_is());

// A step need not read all that it is given.
constexpr bool reads_less() {
  ir::program p = pass::order(trace(shifted));
  const ir::program all = pass::hoist_steps(p);
  for (ir::statement& each : p.statements) {
    if (each.code != ir::opcode::scan) continue;
    ir::program step = p.callees[0];
    step.inputs.push_back(ir::input());
    p.callees[0] = step;
    sequence<ir::value_id> reads = ir::arguments_of(p, each);
    const ir::value_id given = reads[0];
    reads.push_back(given);
    const ir::value_id at = static_cast<ir::value_id>(&each - p.statements.begin());
    ir::program longer = ir::blank_like(p);
    sequence<ir::value_id> to;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      ir::statement copy = ir::renamed(p[i], to);
      if (i == at) {
        for (ir::value_id& x : reads) x = to[x];
        copy.operands[0] = ir::emit_arguments(longer, reads);
      }
      to.push_back(longer.emit(copy));
    }
    ir::carry_attachments(p, longer, to);
    const ir::program q = pass::hoist_steps(longer);
    return count_of(q, ir::opcode::matmul) == 1 && count_of(all, ir::opcode::matmul) == 1 &&
           count_of(q.callees[0], ir::opcode::matmul) == 0;
  }
  return false;
}
static_assert(reads_less());

// Out of a scan in a scan it goes as far as it is the same, but what reads edges stays within a step of time.
constexpr auto layered = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<3>(
            v,
            [=](auto v, auto g) {
              return tanh(g + sum(v.in_edges().src(v(x))) + max(v.in_edges().src(s)) + mean(v.in_edges().src(g)));
            },
            h);
      },
      zeros<4>(v));
};
static_assert(pass::verify(canonical(layered)) == pass::finding());
static_assert(count_of(canonical(layered), ir::opcode::max_edges) == 0);
static_assert(count_of(canonical(layered).callees[0], ir::opcode::max_edges) == 1 &&
              count_of(canonical(layered).callees[0], ir::opcode::sum_edges) == 1);
static_assert(count_of(canonical(layered).callees[0].callees[0], ir::opcode::sum_edges) == 1,
              "the mean of what the layers carry");

// Layers within a step have one graph: the normalisation leaves them, and stays in the step.
constexpr auto convolved_layers = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<3>(
            v, [](auto v, auto g) { return tanh(nn::gcn_conv(nn::weighted(v, w), g, W)); }, h + v(x));
      },
      zeros<4>(v));
};
static_assert(pass::verify(canonical(convolved_layers)) == pass::finding());
static_assert(count_of(canonical(convolved_layers), ir::opcode::sum_edges) == 0);
static_assert(places_of(canonical(convolved_layers).callees[0], ir::opcode::sum_edges) == places{1, 1});
static_assert(places_of(canonical(convolved_layers).callees[0], ir::opcode::rsqrt) == places{1, 0});
static_assert(pass::hoist_steps(canonical(convolved_layers)) == canonical(convolved_layers), "there is no more");

// A derivative that is a value has a step that repeats that of its scan, which stays whole.
constexpr auto penalised = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h * v(x) + matmul(v(s), W)); }, zeros<4>(v));
  auto energy = sum(sum(square(last), axis<0>), all_vertices);
  return energy + sum(sum(square(gradient(energy, W)), axis<0>), axis<0>);
};
static_assert(pass::verify(canonical(penalised)) == pass::finding());
static_assert(count_of(canonical(penalised), ir::opcode::matmul) == 0);

}  // namespace
