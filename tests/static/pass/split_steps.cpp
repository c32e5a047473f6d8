// split_steps: of a scan whose body asks for it, only what is carried goes from step to step.
#include "split_parts.hpp"
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>  // verify
#include <stg/gradient.hpp>         // gradient
#include <stg/op/scan.hpp>          // scan, split_steps
#include <stg/pass/split_steps.hpp>
#include <stg/pipeline.hpp>  // canonical

namespace stg {

constexpr auto in = over<"T">(vertex_feature<"in", 4>);
constexpr auto wanted = over<"T">(vertex_feature<"wanted">);
constexpr auto start = vertex_feature<"start", 4>;
constexpr auto weight = over<"T">(edge_feature<"weight">);
constexpr auto A = parameter<"A", 4, 4>;
constexpr auto B = parameter<"B", 4, 4>;
constexpr auto head = parameter<"head", 4, 1>;

constexpr ir::program canonical(auto lambda) { return pipeline::canonical(trace(lambda)); }
// All five: edges, products of inputs, the recurrence, the head, a loss for each step.
constexpr auto body = [](auto v, auto h) {
  auto n = tanh(matmul(mean(v.in_edges().src(v(in))), A) + matmul(h, B));
  auto out = sum(matmul(relu(n), head), axis<0>);
  return next(n).gives(mean(square(out - v(wanted)), all_vertices));
};
constexpr auto whole = [](auto v) {
  auto [last, errors] = scan<"T">(v, body, v(start));
  return outputs(mean(stacked(errors), axis<0>), last);
};
constexpr auto parts = [](auto v) {
  auto [last, errors] = scan<"T">(v, split_steps(body), v(start));
  return outputs(mean(stacked(errors), axis<0>), last);
};
static_assert(pass::split_steps(canonical(whole)) == canonical(whole), "nobody asks");
static_assert(is_right(canonical(parts)));
static_assert(carried(canonical(parts)) == by_scan{{0, 0, 1, 0, 0}});
static_assert(counts(canonical(parts), ir::opcode::sum_edges) == by_scan{{1, 0, 0, 0, 0}});
static_assert(counts(canonical(parts), ir::opcode::matmul) == by_scan{{0, 1, 1, 1, 0}});
static_assert(counts(canonical(parts), ir::opcode::tanh) == by_scan{{0, 0, 1, 0, 0}});
static_assert(counts(canonical(parts), ir::opcode::sum_vertices) == by_scan{{0, 0, 0, 0, 1}});
static_assert(pass::split_steps(canonical(parts)) == canonical(parts), "there is no more");

// The same as somebody would write it who has no such word, but for what stays to be cut of the gradient.
constexpr auto by_hand = [](auto v) {
  auto seen = scan<"T">(v, [](auto v) { return mean(v.in_edges().src(v(in))); });
  auto made = scan<"T">(v, [=](auto v) { return matmul(v(seen), A); });
  auto both = scan<"T">(v, split_steps([=](auto v, auto h) {
                          auto n = tanh(v(made) + matmul(h, B));
                          return next(n).gives(n);
                        }),
                        v(start));
  auto states = std::get<1>(both);
  auto squares = scan<"T">(v, [=](auto v) { return square(sum(matmul(relu(v(states)), head), axis<0>) - v(wanted)); });
  auto errors = scan<"T">(v, [=](auto v) { return mean(v(squares), all_vertices); });
  return outputs(mean(stacked(errors), axis<0>), std::get<0>(both));
};
constexpr bool has_same_steps() {
  const ir::program p = canonical(parts), q = canonical(by_hand);
  if (p.size() != q.size() || p.callees.size() != q.callees.size()) return false;
  for (int k = 0; k < p.callees.size(); ++k)
    if (p.callees[k].size() != q.callees[k].size() || p.callees[k].outputs.size() != q.callees[k].outputs.size())
      return false;
  return true;
}
static_assert(has_same_steps());

// Values of edges stay where they are made, and what is made of them.
constexpr auto weighed = [](auto v) {
  auto [last, all] = scan<"T">(v, split_steps([](auto v, auto h) {
                                 auto e = v.in_edges();
                                 auto share = sigmoid(sum(e.src(h) * e.dst(h), axis<0>)) * e(weight);
                                 auto n = tanh(h + sum(share * e.src(h)));
                                 return next(n).gives(matmul(max(share * e.src(h)), A));
                               }),
                               v(start));
  return outputs(last, sum(all, all_steps));
};
static_assert(is_right(canonical(weighed)));
static_assert(counts(canonical(weighed), ir::opcode::max_edges) == by_scan{{1, 0}});
static_assert(counts(canonical(weighed), ir::opcode::matmul) == by_scan{{0, 1}});

// What is added up and read by nothing that is carried is not of the recurrence; what is read, is.
constexpr auto added = [](auto v) {
  auto [h, total, read] = scan<"T">(v, split_steps([](auto v, auto h, auto total, auto read) {
                                      auto n = tanh(matmul(h, B) + v(in) + read);
                                      auto loss = sum(square(sum(matmul(n, head), axis<0>) - v(wanted)), all_vertices);
                                      return next(n, total + loss, read + sum(sum(n, axis<0>), all_vertices));
                                    }),
                                    v(start), 0.0f, 0.0f);
  return outputs(total, h, read);
};
static_assert(is_right(canonical(added)));
static_assert(carried(canonical(added)) == by_scan{{2, 1}});
static_assert(counts(canonical(added), ir::opcode::matmul) == by_scan{{1, 1}});

// A scan that goes nowhere from step to step is left as it is, and so is one whose parts would be no work.
constexpr auto sums = [](auto v) {
  return scan<"T">(
      v, split_steps([](auto v, auto total) { return total + sum(sum(matmul(v(in), A), axis<0>), all_vertices); }),
      0.0f);
};
static_assert(carried(canonical(sums)) == by_scan{{1}});
constexpr auto plain = [](auto v) {
  auto [last, all] = scan<"T">(
      v, split_steps([](auto v, auto h) { return next(tanh(matmul(h, B) + v(in))).gives(h * 2.0); }), v(start));
  return outputs(last, sum(all, all_steps));
};
static_assert(carried(canonical(plain)) == by_scan{{1, 1}}, "the second is that of the sum");

// Masks draw what they would have drawn: they keep their numbers.
constexpr auto dropped = [](auto v) {
  auto [last, all] = scan<"T">(v, split_steps([](auto v, auto h) {
                                 auto n = tanh(matmul(dropout(h, 0.25), B) + v(in));
                                 return next(n).gives(matmul(dropout(n, 0.5), A));
                               }),
                               v(start));
  return outputs(last, sum(all, all_steps));
};
constexpr bool draws_the_same() {
  const ir::program p = canonical(dropped);
  int sites = 0;
  for (const ir::program& step : p.callees)
    for (const ir::statement& s : step.statements)
      if (s.code == ir::opcode::keep_mask) sites |= 1 << s.site();
  return sites == 3 && counts(p, ir::opcode::keep_mask) == by_scan{{1, 1}};
}
static_assert(draws_the_same());

// Of scans in one another the inner one asks for itself.
constexpr auto inner = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<3>(
            v, split_steps([](auto v, auto g) { return tanh(matmul(g, B) + matmul(mean(v.in_edges().src(g)), A)); }),
            h);
      },
      v(start));
};
static_assert(is_right(canonical(inner)));

constexpr bool splits_the_inner_one() {
  const ir::program p = canonical(inner);
  const ir::program& step = p.callees[0];
  return count_of(p, ir::opcode::scan) == 1 && count_of(step, ir::opcode::scan) == 1 && step.callees.size() == 1;
}
static_assert(splits_the_inner_one(), "what it reads is the same at all of its steps");
constexpr auto inner_of_steps = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto made = scan<3>(v, [=](auto) { return h * 2.0; });
        return scan<3>(v, split_steps([=](auto v, auto g) { return tanh(matmul(g, B) + matmul(v(made), A)); }), h);
      },
      v(start));
};
static_assert(count_of(canonical(inner_of_steps).callees[0], ir::opcode::scan) == 3);
static_assert(is_right(canonical(inner_of_steps)));

// Of several scans those are cut that ask for it; calls are none, and neither is what carries nothing.
constexpr auto layer = [](auto v, auto h) { return tanh(matmul(h, B) + matmul(mean(v.in_edges().src(h)), A)); };
constexpr auto several = [](auto v) {
  auto step = [](auto v, auto h) { return tanh(matmul(v(in), A) + matmul(h, B)); };
  auto whole = scan<"T">(v, step, v(start));
  auto cut = scan<"T">(v, split_steps(step), call(layer, v, whole));
  auto mapped = scan<"T">(v, split_steps([](auto v) { return matmul(relu(matmul(v(in), A)), B); }));
  return outputs(cut, sum(mapped, all_steps));
};
static_assert(count_of(canonical(several), ir::opcode::scan) == 6, "one, the call, two parts, the map and its sum");
constexpr int whole_steps(const ir::program& p) {
  int n = 0;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::scan && s.carried() == 1) n += count_of(p.callees[s.callee()], ir::opcode::matmul) == 2;
  return n;
}
static_assert(whole_steps(canonical(several)) == 1);

// A scan whose gradient is a value of the program stays, since the step of that repeats its own.
constexpr auto differentiated = [](auto v) {
  auto last = scan<"T">(v, split_steps([](auto v, auto h) { return tanh(matmul(v(in), A) + matmul(h, B)); }), v(start));
  return gradient(sum(sum(square(last), axis<0>), all_vertices), v(start));
};
static_assert(is_right(canonical(differentiated)));
static_assert(count_of(canonical(differentiated), ir::opcode::scan) == 1 &&
              count_of(canonical(differentiated), ir::opcode::scan_gradient) == 1);

// What is the same at every step and cheap is computed in each part that reads it, rather than for every step; what is
// of the step, however cheap, is collected.
constexpr auto shift = parameter<"shift", 4>;
constexpr auto shared = [](auto v) {
  auto [last, all] = scan<"T">(v, split_steps([](auto v, auto h) {
                                 auto doubled = shift * 2.0;
                                 auto own = relu(v(in));
                                 auto n = tanh(matmul(h, B) + own * doubled);
                                 return next(n).gives(matmul(n * doubled - own, A));
                               }),
                               v(start));
  return outputs(last, sum(all, all_steps));
};
static_assert(carried(canonical(shared)) == by_scan{{1, 0, 1}});
static_assert(canonical(shared).callees[0].outputs.size() == 3,
              "the state, carried and collected, and what is its own");

}  // namespace stg
