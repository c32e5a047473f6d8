// Marking ids.
#include <stg/base/error.hpp>    // error
#include <stg/runtime/mask.hpp>  // mask_of

#include <string>  // to_string

namespace stg {

namespace {

template <class Id> tensor<bool> marked(std::span<const Id> ids, std::int64_t n) {
  tensor<bool> mask({n});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Id id = ids[i];
    if (id < 0 || id >= n)
      throw error("mask_of: index " + std::to_string(i) + " is id " + std::to_string(id) + "; expected one in [0, " +
                  std::to_string(n) + ")");
    mask(id) = true;
  }
  return mask;
}
template <class Id> tensor<bool> marked(const const_tensor<Id>& ids, std::int64_t n) {
  detail::require_host(ids.shape(), ids.place());
  return marked(std::span<const Id>(ids.data(), static_cast<std::size_t>(ids.size())), n);
}

}  // namespace

tensor<bool> mask_of(const const_tensor<std::int32_t>& ids, std::int64_t n) { return marked(ids, n); }
tensor<bool> mask_of(const const_tensor<std::int64_t>& ids, std::int64_t n) { return marked(ids, n); }
tensor<bool> mask_of(std::span<const std::int32_t> ids, std::int64_t n) { return marked(ids, n); }
tensor<bool> mask_of(std::span<const std::int64_t> ids, std::int64_t n) { return marked(ids, n); }

}  // namespace stg
