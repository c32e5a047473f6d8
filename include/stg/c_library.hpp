// Opt-in: programs as functions of a C library, for C and all languages that call C.
// stg_add_c_library(name file.cpp) in CMake makes the library and its header, name.h; docs/interop.md is its page.
#pragma once

#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/door/functions.hpp>  // functions

namespace stg {

/// The functions of a C library that is being made. A name belongs to one program, and to its training.
///
///   STG_C_LIBRARY(layers, m) {            // layers.h, liblayers.so
///     m.program<gat>("gat");              // layers_gat(graph, &inputs, &outputs)
///     m.training<gat, h, el, er>("gat");  // layers_gat_record, layers_gat_backward
///     m.loss<loss>("loss");               // layers_loss(graph, &inputs, &value, &outputs, &gradients)
///   }
class c_library : public door::functions<c_library> {
 public:
  /// The programs of one name.
  struct function {
    std::string name{}, text{};
    std::shared_ptr<door::program> program{};
    std::shared_ptr<door::training> training{};
    std::shared_ptr<door::loss> loss{};

    const door::signature& described() const;
  };
  /// In the order of their names' first use.
  const std::vector<function>& functions() const { return functions_; }

 private:
  friend class door::functions<c_library>;
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::program> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::training> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::loss> made);
  function& named(std::string_view name, std::string_view text);

  std::vector<function> functions_{};
};

namespace detail {
/// Defined by STG_C_LIBRARY: the library's name, and its programs.
const char* c_library_name();
void fill_c_library(c_library& m);
}  // namespace detail

}  // namespace stg

/// Begins the function that fills the library `name`, as `m`: one for each library.
#define STG_C_LIBRARY(name, m)                                \
  const char* stg::detail::c_library_name() { return #name; } \
  void stg::detail::fill_c_library([[maybe_unused]] ::stg::c_library& m)
