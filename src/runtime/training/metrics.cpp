// Figures of classes and of rankings, counted.
#include "metric_shapes.hpp"  // check_logits, check_agrees

#include <stg/runtime/metrics.hpp>        // classification_scores, roc_auc
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // sort
#include <cmath>      // isnan
#include <utility>    // pair

namespace stg {

namespace {

/// The class of the largest logit of a row, the first among equals; -1 where one is NaN, or there is none.
template <class T> std::int64_t class_taken(const const_tensor<T>& logits, std::int64_t row) {
  std::int64_t best = -1;
  for (std::int64_t c = 0; c < logits.extent(1); ++c) {
    if (std::isnan(logits(row, c))) return -1;
    if (best < 0 || logits(row, c) > logits(row, best)) best = c;
  }
  return best;
}

/// Rows of one class: taken for it and it, taken for it and another, another and it.
struct counts {
  std::int64_t true_positive = 0, false_positive = 0, false_negative = 0;

  std::int64_t support() const { return true_positive + false_negative; }
  bool occurs() const { return support() + false_positive > 0; }
  counts& operator+=(const counts& c) {
    true_positive += c.true_positive;
    false_positive += c.false_positive;
    false_negative += c.false_negative;
    return *this;
  }
  precision_recall_f1 figures() const {
    const auto share = [](std::int64_t part, std::int64_t of) {
      return of == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(of);
    };
    return {share(true_positive, true_positive + false_positive), share(true_positive, support()),
            share(2 * true_positive, 2 * true_positive + false_positive + false_negative)};
  }
};

/// Adds figures to a mean of them.
void add(precision_recall_f1& mean, const precision_recall_f1& of, double weight) {
  mean.precision += weight * of.precision;
  mean.recall += weight * of.recall;
  mean.f1 += weight * of.f1;
}

class_scores scores_of(const std::vector<counts>& classes, bool all_in_macro) {
  class_scores scores;
  counts together;
  std::int64_t in_macro = 0;
  for (const counts& c : classes) {
    scores.of.push_back(c.figures());
    scores.support.push_back(c.support());
    together += c;
    in_macro += all_in_macro || c.occurs();
  }
  scores.micro = together.figures();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (in_macro > 0 && (all_in_macro || classes[k].occurs()))
      add(scores.macro, scores.of[k], 1 / static_cast<double>(in_macro));
    if (together.support() > 0)
      add(scores.weighted, scores.of[k],
          static_cast<double>(classes[k].support()) / static_cast<double>(together.support()));
  }
  return scores;
}

/// Goes through the tasks of a ranking: body(rows) with (score, target) of the counted rows, by descending score.
template <class T, class Body>
void for_each_task(const char* what, const const_tensor<T>& scores, const const_tensor<bool>& targets,
                   counted_rows over, const Body& body) {
  if (scores.rank() != 1 && scores.rank() != 2)
    throw error(std::string(what) + ": scores of shape " + to_string(scores.shape()) +
                "; give (rows,) or (rows, tasks)");
  detail::require_host(scores.shape(), scores.place());
  detail::check_agrees(what, "targets", targets, scores.shape(), "scores", scores);
  const std::int64_t rows = scores.extent(0), tasks = scores.rank() == 1 ? 1 : scores.extent(1);
  if (tasks == 0)
    throw error(std::string(what) + ": scores of shape " + to_string(scores.shape()) +
                " have no task; give one at least");
  over.check(what, rows);
  for (std::int64_t task = 0; task < tasks; ++task) {
    std::vector<std::pair<T, bool>> ranked;
    for (std::int64_t r = 0; r < rows; ++r) {
      if (!over.count(r)) continue;
      const T score = scores.data()[r * tasks + task];
      if (std::isnan(score)) throw error(std::string(what) + ": the score of row " + std::to_string(r) + " is NaN");
      ranked.emplace_back(score, targets.data()[r * tasks + task]);
    }
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    body(ranked);
  }
}

/// How many of the rows from `begin` on have its score, and how many of them are true.
template <class Ranked> std::pair<std::size_t, std::size_t> equal_scores(const Ranked& ranked, std::size_t begin) {
  std::size_t count = 0, positive = 0;
  for (; begin + count < ranked.size() && ranked[begin + count].first == ranked[begin].first; ++count)
    positive += ranked[begin + count].second;
  return {count, positive};
}

}  // namespace

template <class T>
tensor<std::int64_t> confusion_matrix(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels,
                                      counted_rows over) try {
  constexpr const char* what = "confusion_matrix";
  detail::check_logits(what, logits, labels);
  over.check(what, logits.extent(0));
  const std::int64_t classes = logits.extent(1);
  tensor<std::int64_t> matrix({classes, classes});
  for (std::int64_t v = 0; v < logits.extent(0); ++v) {
    if (!over.count(v)) continue;
    detail::check_label(what, labels(v), v, classes);
    if (const std::int64_t taken = class_taken(logits, v); taken >= 0) ++matrix(labels(v), taken);
  }
  return matrix;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
class_scores classification_scores(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels,
                                   counted_rows over) {
  constexpr const char* what = "classification_scores";
  detail::check_logits(what, logits, labels);
  over.check(what, logits.extent(0));
  std::vector<counts> classes(static_cast<std::size_t>(logits.extent(1)));
  for (std::int64_t v = 0; v < logits.extent(0); ++v) {
    if (!over.count(v)) continue;
    detail::check_label(what, labels(v), v, logits.extent(1));
    const auto label = static_cast<std::size_t>(labels(v));
    const std::int64_t taken = class_taken(logits, v);
    if (taken == labels(v)) {
      ++classes[label].true_positive;
    } else {
      ++classes[label].false_negative;
      if (taken >= 0) ++classes[static_cast<std::size_t>(taken)].false_positive;
    }
  }
  return scores_of(classes, false);
}

template <class T>
class_scores classification_scores(const const_tensor<T>& logits, const const_tensor<bool>& targets,
                                   counted_rows over) {
  constexpr const char* what = "classification_scores";
  if (logits.rank() != 2)
    throw error(std::string(what) + ": logits of shape " + to_string(logits.shape()) + "; give (vertices, classes)");
  detail::require_host(logits.shape(), logits.place());
  detail::check_agrees(what, "targets", targets, logits.shape(), "logits", logits);
  over.check(what, logits.extent(0));
  std::vector<counts> classes(static_cast<std::size_t>(logits.extent(1)));
  for (std::int64_t v = 0; v < logits.extent(0); ++v) {
    if (!over.count(v)) continue;
    for (std::int64_t c = 0; c < logits.extent(1); ++c) {
      const bool taken = logits(v, c) > 0, is = targets(v, c);
      counts& of = classes[static_cast<std::size_t>(c)];
      of.true_positive += taken && is;
      of.false_positive += taken && !is;
      of.false_negative += !taken && is;
    }
  }
  return scores_of(classes, true);
}

template <class T>
double roc_auc(const const_tensor<T>& scores, const const_tensor<bool>& targets, counted_rows over) try {
  double sum = 0;
  std::int64_t tasks = 0;
  for_each_task("roc_auc", scores, targets, over, [&](const auto& ranked) {
    double above = 0, pairs = 0;  // true ones so far, and pairs of a true one and a false one below it
    for (std::size_t at = 0; at < ranked.size();) {
      const auto [count, positive] = equal_scores(ranked, at);
      const double negative = static_cast<double>(count - positive);
      pairs += negative * (above + static_cast<double>(positive) / 2);
      above += static_cast<double>(positive);
      at += count;
    }
    const double below = static_cast<double>(ranked.size()) - above;
    if (above == 0 || below == 0) return;
    sum += pairs / (above * below);
    ++tasks;
  });
  if (tasks == 0) throw error("roc_auc: all targets are of one kind; count rows whose targets are true and false");
  return sum / static_cast<double>(tasks);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
double average_precision(const const_tensor<T>& scores, const const_tensor<bool>& targets, counted_rows over) try {
  double sum = 0;
  std::int64_t tasks = 0;
  for_each_task("average_precision", scores, targets, over, [&](const auto& ranked) {
    double hits = 0, precisions = 0;  // true ones so far; for each, the precision at its score
    for (std::size_t at = 0; at < ranked.size();) {
      const auto [count, positive] = equal_scores(ranked, at);
      at += count;
      hits += static_cast<double>(positive);
      precisions += static_cast<double>(positive) * hits / static_cast<double>(at);
    }
    sum += hits == 0 ? 0 : precisions / hits;
    ++tasks;
  });
  return sum / static_cast<double>(tasks);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

#define STG_METRICS(T)                                                                                          \
  template tensor<std::int64_t> confusion_matrix(const const_tensor<T>&, const const_tensor<std::int32_t>&,     \
                                                 counted_rows);                                                 \
  template class_scores classification_scores(const const_tensor<T>&, const const_tensor<std::int32_t>&,        \
                                              counted_rows);                                                    \
  template class_scores classification_scores(const const_tensor<T>&, const const_tensor<bool>&, counted_rows); \
  template double roc_auc(const const_tensor<T>&, const const_tensor<bool>&, counted_rows);                     \
  template double average_precision(const const_tensor<T>&, const const_tensor<bool>&, counted_rows);
STG_METRICS(float)
STG_METRICS(double)

#undef STG_METRICS

}  // namespace stg
