// A file that stg_add_program compiles: CUDA C++ where there is a toolkit, else plain C++. It starts everywhere.
#include <stg/runtime/cuda.hpp>  // cuda

#include <cstdio>       // printf
#include <string>       // string
#include <string_view>  // string_view

#if defined(__CUDACC__)
static_assert(__cplusplus == 202002L);
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
constexpr std::string_view built_for = STG_CUDA_ARCHITECTURES;
#else
constexpr std::string_view built_for = "the CPU";
#endif

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::printf("built for %s; %s\n", built_for.data(), stg::cuda::problem().c_str());
  const bool holds_cuda = stg::cuda::problem().find("this program holds no CUDA") == std::string::npos;
  return built_for == arguments[1] && holds_cuda == (built_for != "the CPU") ? 0 : 1;
}
