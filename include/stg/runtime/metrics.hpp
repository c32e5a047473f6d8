// Figures of classes, of rankings and of numbers, as scikit-learn defines them.
#pragma once

#include <stg/base/instead.hpp>          // STG_INSTEAD_FOR
#include <stg/runtime/counted_rows.hpp>  // counted_rows
#include <stg/runtime/tensor.hpp>        // tensor

#include <cstdint>  // int64_t
#include <vector>   // vector

namespace stg {

// T is float or double throughout; sums are taken in double. Every function has a mask, (rows), as its last argument,
// or counts all rows. Errors of all: shapes that do not agree, and tensors on a device.

// ---- classes ----

/// Counts of vertices by label and predicted class: entry (i, j) counts vertices of label i with the largest logit at
/// class j; the first wins among equal logits. A row with NaN is of no class, and in no column. logits: (vertices,
/// classes), labels: (vertices). Error for a counted label outside [0, classes).
///
///   auto m = stg::confusion_matrix(logits, data.labels, data.test);    // (classes, classes)
template <class T>
tensor<std::int64_t> confusion_matrix(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels,
                                      counted_rows over = {});

/// Precision tp / (tp + fp), recall tp / (tp + fn), and F1 = 2 tp / (2 tp + fp + fn); 0 where the divisor is 0.
struct precision_recall_f1 {
  double precision = 0, recall = 0, f1 = 0;
};
/// The figures of each class, and three means. micro: of the counts of all classes, which for one label per vertex is
/// the accuracy (but for rows with NaN); macro: the mean over classes; weighted: over classes by their support.
struct class_scores {
  std::vector<precision_recall_f1> of;  // (classes)
  std::vector<std::int64_t> support;    // (classes): counted vertices of each label
  precision_recall_f1 micro, macro, weighted;
};
/// For one label per vertex, logits and labels as in `confusion_matrix`. Classes that occur neither among the counted
/// labels nor among the predictions are left out of the macro mean. All is 0 when nothing is counted.
///
///   double f1 = stg::classification_scores(logits, data.labels, data.test).macro.f1;
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] class_scores classification_scores(const const_tensor<T>& logits,
                                                                         const const_tensor<std::int32_t>& labels,
                                                                         counted_rows over = {});
/// For any number of labels per vertex: a class is taken to apply if its logit is above 0, a probability above ½.
/// logits and targets: (vertices, classes). All classes are in the macro mean.
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] class_scores classification_scores(const const_tensor<T>& logits,
                                                                         const const_tensor<bool>& targets,
                                                                         counted_rows over = {});

// ---- rankings, as of links or of rare events ----

/// The area under the ROC curve: how often a true one has a larger score than a false one, ties counting half (Mann and
/// Whitney). scores and targets: (rows), or (rows, tasks) for the mean over tasks with both kinds. Errors: a counted
/// score that is NaN, counted targets of one kind in every task, and no tasks.
///
///   double auc = stg::roc_auc(scores_of_edges, is_an_edge);
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double roc_auc(const const_tensor<T>& scores, const const_tensor<bool>& targets,
                                                     counted_rows over = {});

/// Average precision Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from the largest on, rows of equal scores taken at once;
/// for (rows, tasks) the mean over tasks. 0 where no target is true. Errors: a counted score that is NaN, and no tasks.
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double average_precision(const const_tensor<T>& scores,
                                                               const const_tensor<bool>& targets,
                                                               counted_rows over = {});

// ---- ranks of links among others ----

// positive: (links), each ranked among negatives of its own, (links, negatives). The rank of a link is one more than
// the number of its negatives with a larger score, with equal scores counting half, as OGB has it (Hu et al., NeurIPS
// 2020). Errors: no counted link, and a counted score that is NaN.

/// The mean of 1 / rank.
///
///   double mrr = stg::mean_reciprocal_rank(scores_of_links, scores_of_their_negatives);
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double mean_reciprocal_rank(const const_tensor<T>& positive,
                                                                  const const_tensor<T>& negative,
                                                                  counted_rows over = {});

/// The share of links with a rank of at most k. For negatives common to all links, (negatives): the share of links with
/// a score above the k-th largest of theirs, and 1 if there are fewer than k. Error for k below 1.
///
///   double h = stg::hits_at(20, scores_of_links, scores_of_negatives);
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double hits_at(std::int64_t k, const const_tensor<T>& positive,
                                                     const const_tensor<T>& negative, counted_rows over = {});

// ---- numbers ----

// y and target: (rows) or (rows, …); means are over all counted numbers. A mean of nothing, which is NaN in PyTorch, is
// an error: when no row is counted, and when y has none, or no columns.

/// Mean of |y − target|.
///
///   double mae = stg::mean_absolute_error(predicted, target, data.test);
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double mean_absolute_error(const const_tensor<T>& y,
                                                                 const const_tensor<T>& target, counted_rows over = {});
/// Mean of (y − target)².
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double mean_squared_error(const const_tensor<T>& y, const const_tensor<T>& target,
                                                                counted_rows over = {});
/// Root of the mean of (y − target)²; of several columns, the mean of their roots.
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double root_mean_squared_error(const const_tensor<T>& y,
                                                                     const const_tensor<T>& target,
                                                                     counted_rows over = {});
/// Mean of |y − target| / max(|target|, 2⁻⁵²): a share, not a percentage, and large where a target is 0.
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double mean_absolute_percentage_error(const const_tensor<T>& y,
                                                                            const const_tensor<T>& target,
                                                                            counted_rows over = {});
/// 1 − Σ (y − target)² / Σ (target − mean)², of several columns their mean. If all targets of a column are equal it is
/// 1 if y is, too, and 0 otherwise; NaN for a single row, and if one of the numbers is NaN.
template <class T>
[[nodiscard(STG_NUMBER_IS_NOT_USED)]] double r2_score(const const_tensor<T>& y, const const_tensor<T>& target,
                                                      counted_rows over = {});

// Of labels where truths belong: what to write.
STG_INSTEAD_FOR((class T, class Label), sizeof(Label) == 0,
                "stg: roc_auc takes scores, then tensor<bool> targets: labels.to<bool>()",
                double roc_auc(const const_tensor<T>&, const const_tensor<Label>&, counted_rows = {}))
STG_INSTEAD_FOR((class T, class Label), sizeof(Label) == 0,
                "stg: average_precision takes scores, then tensor<bool> targets: labels.to<bool>()",
                double average_precision(const const_tensor<T>&, const const_tensor<Label>&, counted_rows = {}))

}  // namespace stg
