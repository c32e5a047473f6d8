// online_softmax: one loop over a row's edges for softmax and its weighted sums. The loop of the sums takes the
// exponentials of scores less the maximum so far, rescales its sums when a chunk of edges raises this maximum, and
// divides after the last edge; so the loop before it, which would find the maximum and Σ exp alone, does not run (M.
// Milakov, N. Gimelshein, Online normalizer calculation for softmax, 2018).
//
// Runs on a plan, for backends with such loops.
#pragma once

#include <utility>  // move

#include <stg/base/sequence.hpp>  // sequence
#include <stg/pass/plan.hpp>      // plan

namespace stg::pass {

namespace detail {

class softmax_merger {
 public:
  constexpr softmax_merger(const ir::program& of, const plan& planned) : p(of), made(planned) {}

  constexpr plan run() {
    sequence<step> left;
    for (planned_unit& u : made.units) {
      const int first = left.size();
      for (int k = u.first_step; k < u.last_step; ++k) {
        const step s = made.steps[k];
        const bool before_loop = k + 1 < u.last_step && made.steps[k + 1].is_loop;
        if (s.is_loop && before_loop && is_taken_by_next(u, s.index))
          made.loops[s.index + 1].first_result = made.loops[s.index].first_result;
        else left.push_back(s);
      }
      u.first_step = first;
      u.last_step = left.size();
    }
    made.steps = left;
    for (int r = 0; r < made.loop_results.size(); ++r)
      if (!is_with_its_sums(static_cast<int>(r))) read_as_defined(made.loop_results[r]);
    return std::move(made);
  }

 private:
  /// Whether a loop makes nothing but top_shares whose exponentials the next loop can take, and maxima of the same
  /// scores that softmax alone reads. Loops are numbered in the order of steps, and so are their results.
  constexpr bool is_taken_by_next(const planned_unit& u, int loop) const {
    const planned_loop& l = made.loops[loop];
    for (int r = l.first_result; r < l.last_result; ++r)
      if (made.loop_results[r].summed_in != loop + 1 && !is_maximum_beside(u, l, made.loop_results[r].at)) return false;
    return l.first_result < l.last_result;
  }
  constexpr bool is_maximum_beside(const planned_unit& u, const planned_loop& l, ir::value_id at) const {
    if (p[at].code != ir::opcode::max_edges || is_read_in(p, made, u, at)) return false;
    for (int r = l.first_result; r < l.last_result; ++r) {
      const ir::statement& share = p[made.loop_results[r].at];
      if (share.code == ir::opcode::top_share_edges && share.dims == p[at].dims &&
          root_of(p, share.operands[0]) == root_of(p, p[at].operands[0]))
        return true;
    }
    return false;
  }
  /// Whether the loop that takes the exponentials of top_share r makes it, too.
  constexpr bool is_with_its_sums(int r) const {
    const int loop = made.loop_results[r].summed_in;
    return loop >= 0 && made.loops[loop].first_result <= r && r < made.loops[loop].last_result;
  }
  /// Softmax of it is exp(score - most) · share.
  constexpr void read_as_defined(planned_result& share) {
    share.summed_in = -1;
    for (planned_result& r : made.loop_results)
      if (r.over == share.at) r.over = -1;
  }

  const ir::program& p;
  plan made;
};

}  // namespace detail

constexpr plan online_softmax(const ir::program& p, const plan& made) { return detail::softmax_merger(p, made).run(); }

}  // namespace stg::pass
