// online_softmax: one loop over a row's edges for softmax and the sums of what it weighs. The loop of the sums takes
// the exponentials of scores less the maximum so far, rescales what it has when a chunk of edges raises that, and
// divides after the last edge; so the loop before it, which would find log Σ exp alone, does not run (M. Milakov, N.
// Gimelshein, Online normalizer calculation for softmax, 2018).
//
// Runs on a plan, for backends whose loops can do so.
#pragma once

#include <utility>  // move

#include <stg/base/sequence.hpp>  // sequence
#include <stg/pass/plan.hpp>      // plan

namespace stg::pass {

namespace detail {

class softmax_merger {
 public:
  constexpr explicit softmax_merger(const plan& planned) : made(planned) {}

  constexpr plan run() {
    sequence<step> left;
    for (planned_unit& u : made.units) {
      const int first = left.size();
      for (int k = u.first_step; k < u.last_step; ++k) {
        const step s = made.steps[k];
        const bool before_loop = k + 1 < u.last_step && made.steps[k + 1].is_loop;
        if (s.is_loop && before_loop && is_taken_by_next(s.index))
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
  /// Whether a loop makes nothing but log_sum_exps whose exponentials the next loop can take. Loops are numbered in the
  /// order of steps, and so are their results.
  constexpr bool is_taken_by_next(int loop) const {
    const planned_loop& l = made.loops[loop];
    for (int r = l.first_result; r < l.last_result; ++r)
      if (made.loop_results[r].summed_in != loop + 1) return false;
    return l.first_result < l.last_result;
  }
  /// Whether result r is a log_sum_exp that is made by the loop that takes its exponentials.
  constexpr bool is_with_its_sums(int r) const {
    const int loop = made.loop_results[r].summed_in;
    return loop >= 0 && made.loops[loop].first_result <= r && r < made.loops[loop].last_result;
  }
  /// Softmax of it is exp(score - log_sum_exp).
  constexpr void read_as_defined(planned_result& lse) {
    lse.takes_logarithm = true;
    lse.summed_in = -1;
    for (planned_result& r : made.loop_results)
      if (r.over == lse.at) r.over = -1;
  }

  plan made;
};

}  // namespace detail

constexpr plan online_softmax(const plan& made) { return detail::softmax_merger(made).run(); }

}  // namespace stg::pass
