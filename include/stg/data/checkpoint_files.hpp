// Where a checkpoint lies: a folder of .npy files, or one file of safetensors, by the end of its path.
#pragma once

#include <stg/data/file_replacement.hpp>  // file_replacement, whole_files
#include <stg/data/npy.hpp>               // read_npy
#include <stg/data/safetensors.hpp>       // safetensors_file, safetensors_writer

#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_rvalue_reference_v
#include <utility>      // forward

namespace stg::detail {

inline bool is_safetensors(std::string_view path) { return path.ends_with(".safetensors"); }
inline std::string array_file(std::string_view name) { return std::string(name) + ".npy"; }

/// Tensors by name that become readers' together.
///
///   detail::checkpoint_output files("run.safetensors");
///   files.write("W", W);
///   files.put_in_place();
class checkpoint_output {
 public:
  explicit checkpoint_output(const std::string& path) {
    if (is_safetensors(path)) file_.emplace(path);
    else folder_.emplace(path);
  }
  /// A tensor of any place. One on the host lives until put_in_place, unless it is moved here.
  template <class Tensor> void write(const std::string& name, Tensor&& values) {
    if (file_) file_->write(name, std::forward<Tensor>(values));
    else folder_->write(array_file(name), values);
  }
  /// Error for a folder.
  void write(const metadata& texts);
  void put_in_place() {
    if (file_) file_->put_in_place();
    else folder_->put_in_place();
  }

 private:
  std::optional<file_replacement> folder_{};
  std::optional<safetensors_writer> file_{};
};

/// Tensors by name of one checkpoint, unchanged while this lives.
class checkpoint_input {
 public:
  explicit checkpoint_input(const std::string& path) {
    if (is_safetensors(path)) file_.emplace(path);
    else folder_.emplace(path);
  }
  /// Where a tensor lies, for sentences: "run/W.npy", "run.safetensors tensor W".
  std::string place_of(const std::string& name) const {
    return file_ ? file_->path() + " tensor " + name : folder_->path_of(array_file(name));
  }
  template <class T> tensor<T> read(const std::string& name) const {
    return file_ ? file_->read<T>(name) : read_npy<T>(place_of(name));
  }
  /// Error for a folder.
  metadata texts() const;

 private:
  std::optional<whole_files> folder_{};
  std::optional<safetensors_file> file_{};
};

}  // namespace stg::detail
