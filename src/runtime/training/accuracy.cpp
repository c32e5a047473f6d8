// Counting the rows whose largest logit is the label's.
#include "metric_shapes.hpp"  // check_logits

#include <stg/runtime/accuracy.hpp>  // accuracy

namespace stg {

void counted_rows::check(const char* what, std::int64_t rows) const {
  if (mask_ == nullptr) return;
  if (mask_->shape() != dimensions{rows})
    throw error(std::string(what) + ": mask of shape " + to_string(mask_->shape()) + "; give " +
                to_string(dimensions{rows}));
  detail::require_host(mask_->shape(), mask_->place());
}

template <class T>
double accuracy(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels, counted_rows over) {
  detail::check_logits("accuracy", logits, labels);
  const std::int64_t vertices = logits.extent(0), classes = logits.extent(1);
  over.check("accuracy", vertices);

  std::int64_t counted = 0, right = 0;
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (!over.count(v)) continue;
    const std::int32_t label = labels(v);
    detail::check_label("accuracy", label, v, classes);
    ++counted;
    bool best = true;  // a comparison with NaN is false, so that such a row is wrong
    for (std::int64_t c = 0; c < classes; ++c) {
      const bool before = c < label, same = c == label;
      best = best && (same     ? logits(v, c) == logits(v, c)
                      : before ? logits(v, c) < logits(v, label)
                               : logits(v, c) <= logits(v, label));
    }
    right += best;
  }
  return counted == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(counted);
}

template double accuracy(const const_tensor<float>&, const const_tensor<std::int32_t>&, counted_rows);
template double accuracy(const const_tensor<double>&, const const_tensor<std::int32_t>&, counted_rows);

}  // namespace stg
