// Figures of links that are ranked among others.
#include <stg/base/error.hpp>       // error
#include <stg/runtime/metrics.hpp>  // mean_reciprocal_rank, hits_at

#include <algorithm>   // nth_element
#include <cmath>       // isnan
#include <functional>  // greater
#include <string>      // string, to_string
#include <vector>      // vector

namespace stg {

namespace {

template <class T> void check_score(const char* what, T score, std::int64_t link) {
  if (std::isnan(score))
    throw error(std::string(what) + ": a score of link " + std::to_string(link) + " is NaN; look at the model");
}

/// The mean of of_link(i) over the links that are counted.
template <class T, class OfLink>
double mean_over(const char* what, const const_tensor<T>& positive, counted_rows over, const OfLink& of_link) {
  double sum = 0;
  std::int64_t counted = 0;
  for (std::int64_t i = 0; i < positive.size(); ++i) {
    if (!over.count(i)) continue;
    check_score(what, positive.data()[i], i);
    sum += of_link(i);
    ++counted;
  }
  if (counted == 0) throw error(std::string(what) + ": no link is counted; count one at least");
  return sum / static_cast<double>(counted);
}

template <class T>
void check_shapes(const char* what, const const_tensor<T>& positive, const const_tensor<T>& negative, counted_rows over,
                  bool may_be_common) {
  detail::require_host(positive.shape(), positive.place());
  detail::require_host(negative.shape(), negative.place());
  const bool fits = positive.rank() == 1 && ((negative.rank() == 2 && negative.shape()[0] == positive.size()) ||
                                             (may_be_common && negative.rank() == 1));
  if (!fits)
    throw error(std::string(what) + ": scores of shape " + to_string(positive.shape()) + " and negatives of shape " +
                to_string(negative.shape()) + "; give (links,) and (links, negatives)" +
                (may_be_common ? ", or (negatives,)" : ""));
  over.check(what, positive.size());
}

template <class T>
double rank_of(const char* what, const const_tensor<T>& positive, const const_tensor<T>& negative, std::int64_t link) {
  const std::int64_t count = negative.shape()[1];
  const T score = positive.data()[link];
  double rank = 1;
  for (std::int64_t j = 0; j < count; ++j) {
    const T other = negative.data()[link * count + j];
    check_score(what, other, link);
    rank += other > score ? 1 : other == score ? 0.5 : 0;
  }
  return rank;
}

}  // namespace

template <class T>
double mean_reciprocal_rank(const const_tensor<T>& positive, const const_tensor<T>& negative, counted_rows over) {
  constexpr const char* what = "mean_reciprocal_rank";
  check_shapes(what, positive, negative, over, false);
  return mean_over(what, positive, over, [&](std::int64_t i) { return 1 / rank_of(what, positive, negative, i); });
}

template <class T>
double hits_at(std::int64_t k, const const_tensor<T>& positive, const const_tensor<T>& negative, counted_rows over) {
  constexpr const char* what = "hits_at";
  if (k < 1) throw error("hits_at: the first " + std::to_string(k) + " ranks; give 1 or more");
  check_shapes(what, positive, negative, over, true);
  if (negative.rank() == 2)
    return mean_over(what, positive, over, [&](std::int64_t i) {
      return rank_of(what, positive, negative, i) <= static_cast<double>(k) ? 1.0 : 0.0;
    });
  std::vector<T> others(negative.begin(), negative.end());
  for (const T score : others)
    if (std::isnan(score)) throw error("hits_at: a score of the negatives is NaN; look at the model");
  const bool all_are_hits = static_cast<std::int64_t>(others.size()) < k;
  if (!all_are_hits) std::nth_element(others.begin(), others.begin() + (k - 1), others.end(), std::greater<>());
  return mean_over(what, positive, over, [&](std::int64_t i) {
    return all_are_hits || positive.data()[i] > others[static_cast<std::size_t>(k - 1)] ? 1.0 : 0.0;
  });
}

#define STG_RANKS(T)                                                                                  \
  template double mean_reciprocal_rank(const const_tensor<T>&, const const_tensor<T>&, counted_rows); \
  template double hits_at(std::int64_t, const const_tensor<T>&, const const_tensor<T>&, counted_rows);
STG_RANKS(float)
STG_RANKS(double)

#undef STG_RANKS

}  // namespace stg
