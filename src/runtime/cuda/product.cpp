// Row-major products through column-major cuBLAS: yᵀ = wᵀ xᵀ, and what is row-major is the transpose already.
#include <stg/runtime/cuda/product.hpp>

#include <utility>  // move

namespace stg::gpu {

namespace {
constexpr std::int64_t workspace_bytes = std::int64_t{32} << 20;  // what cuBLAS asks for on its largest devices
}

void products::prepare(const purpose& why) {
  if (handle_.get() != nullptr) return;
  api& calls = stream_->calls();
  const current_device here(calls, stream_->on()->index(), why);
  workspace_.reserve(workspace_bytes, why);
  stream_->enter(why);  // the workspace is there for a user's stream too
  owned<product_handle, &api::product_destroy> made(calls);
  check(calls, why, "cublasCreate", calls.product_create(made.out()));
  check(calls, why, "cublasSetStream", calls.product_prepare(made.get(), stream_->handle(), tf32_));
  check(calls, why, "cublasSetWorkspace",
        calls.product_workspace(made.get(), workspace_.data(), workspace_.capacity()));
  handle_ = std::move(made);
}

template <class T>
void products::run(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
                   product_form form, const purpose& why) {
  if (rows == 0 || cols == 0) return;
  api& calls = stream_->calls();
  if (inner == 0) {
    if (!form.add)
      check(calls, why, "cudaMemsetAsync",
            calls.fill_async(y, 0, rows * cols * static_cast<std::int64_t>(sizeof(T)), stream_->handle()));
    return;
  }
  prepare(why);
  check(
      calls, why, "cublasGemm",
      calls.product(handle_.get(), form.transpose_w, form.transpose_x, cols, rows, inner, w,
                    form.transpose_w ? inner : cols, x, form.transpose_x ? rows : inner, T(form.add ? 1 : 0), y, cols));
}

template void products::run(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t, product_form,
                            const purpose&);
template void products::run(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t,
                            product_form, const purpose&);

}  // namespace stg::gpu
