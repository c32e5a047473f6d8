// cuBLAS, loaded by the first product: half a gigabyte of libraries that a program without products does not need, and
// that a machine without a device does not have.
#pragma once

#include <cublas_v2.h>  // types of its functions
#include <dlfcn.h>      // dlopen, dlsym

#include <string>  // string

#define STG_TEXT_OF(number) #number
#define STG_CUBLAS_FILE(major) "libcublas.so." STG_TEXT_OF(major)

namespace stg::gpu {

struct cublas {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetMathMode) set_math;
  decltype(&cublasSetWorkspace_v2) set_workspace;
  decltype(&cublasGetStatusString) text;
  decltype(&cublasSgemm_v2_64) multiply_float;
  decltype(&cublasDgemm_v2_64) multiply_double;

  static constexpr const char* file = STG_CUBLAS_FILE(CUBLAS_VER_MAJOR);

  /// The library, null where there is none: searched as the system does, then in the toolkit that the program was built
  /// with.
  static const cublas* loaded() {
    static const cublas all = load();
    return all.complete ? &all : nullptr;
  }

 private:
  bool complete = false;

  static cublas load() {
    cublas all{};
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      library = dlopen((std::string(STG_CUDA_LIBRARIES "/") + file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return all;
    all.complete =
        find(library, "cublasCreate_v2", all.create) && find(library, "cublasDestroy_v2", all.destroy) &&
        find(library, "cublasSetStream_v2", all.set_stream) && find(library, "cublasSetMathMode", all.set_math) &&
        find(library, "cublasSetWorkspace_v2", all.set_workspace) && find(library, "cublasGetStatusString", all.text) &&
        find(library, "cublasSgemm_v2_64", all.multiply_float) &&
        find(library, "cublasDgemm_v2_64", all.multiply_double);
    return all;
  }
  template <class Function> static bool find(void* library, const char* name, Function& to) {
    to = reinterpret_cast<Function>(dlsym(library, name));
    return to != nullptr;
  }
};

}  // namespace stg::gpu
