// Tensors of one element type copied into those of another.
#include "held_values.hpp"    // holds
#include "shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>      // error
#include <stg/runtime/tensor.hpp>  // tensor, convert_elements

#include <string>  // to_string

namespace stg::detail {

namespace {

template <class T> constexpr const char* name_of = "float";
template <> constexpr const char* name_of<std::int32_t> = "std::int32_t";
template <> constexpr const char* name_of<std::int64_t> = "std::int64_t";
template <> constexpr const char* name_of<double> = "double";
template <> constexpr const char* name_of<bool> = "bool";
template <> constexpr const char* name_of<bfloat16> = "stg::bfloat16";
template <> constexpr const char* name_of<float16> = "stg::float16";

/// What two-byte numbers are computed with.
template <class T> struct computed { using type = T; };
template <> struct computed<bfloat16> { using type = float; };
template <> struct computed<float16> { using type = float; };
template <class T> using computed_t = typename computed<T>::type;

}  // namespace

template <TensorElement U, TensorElement T> void convert_elements(const const_tensor<T>& from, tensor<U>& to) {
  const T* const given = from.begin();  // an error on a device
  for (std::int64_t i = 0; i < from.size(); ++i) {
    const auto value = static_cast<computed_t<T>>(given[i]);
    if (!holds<U>(value))
      throw error("tensor element " + std::to_string(i) + " is " + shortest_text(value) + ", which is no value of " +
                  name_of<U>);
    to.data()[i] = static_cast<U>(static_cast<computed_t<U>>(value));
  }
}

#define STG_CONVERT(U, T) template void convert_elements<U, T>(const const_tensor<T>&, tensor<U>&);
#define STG_CONVERT_TO(U)      \
  STG_CONVERT(U, float)        \
  STG_CONVERT(U, double)       \
  STG_CONVERT(U, std::int32_t) \
  STG_CONVERT(U, std::int64_t) \
  STG_CONVERT(U, bool)         \
  STG_CONVERT(U, bfloat16)     \
  STG_CONVERT(U, float16)
STG_CONVERT_TO(float)
STG_CONVERT_TO(double)
STG_CONVERT_TO(std::int32_t)
STG_CONVERT_TO(std::int64_t)
STG_CONVERT_TO(bool)
STG_CONVERT_TO(bfloat16)
STG_CONVERT_TO(float16)

#undef STG_CONVERT_TO
#undef STG_CONVERT

}  // namespace stg::detail
