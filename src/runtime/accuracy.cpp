// Counting the rows whose largest logit is the label's.
#include <stg/base/error.hpp>        // error
#include <stg/runtime/accuracy.hpp>  // accuracy

#include <string>  // to_string

namespace stg {

double accuracy(const tensor<float>& logits, const tensor<std::int32_t>& labels, const tensor<bool>& mask) {
  if (logits.rank() != 2)
    throw error("accuracy: logits of shape " + to_string(logits.shape()) + "; give (vertices, classes)");
  const std::int64_t vertices = logits.extent(0), classes = logits.extent(1);
  const auto check = [&](const char* field, const dimensions& shape) {
    if (shape != dimensions{vertices})
      throw error(std::string("accuracy: ") + field + " of shape " + to_string(shape) + " for logits of shape " +
                  to_string(logits.shape()) + "; give (" + std::to_string(vertices) + ",)");
  };
  check("labels", labels.shape());
  check("mask", mask.shape());
  detail::require_host(logits.shape(), logits.place());
  detail::require_host(labels.shape(), labels.place());
  detail::require_host(mask.shape(), mask.place());

  std::int64_t counted = 0, right = 0;
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (!mask(v)) continue;
    const std::int32_t label = labels(v);
    if (label < 0 || label >= classes)
      throw error("accuracy: label " + std::to_string(label) + " of vertex " + std::to_string(v) +
                  "; it must be in [0, " + std::to_string(classes) + ")");
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

}  // namespace stg
