// Files of safetensors: named tensors and texts in one file, as PyTorch's users keep weights.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <memory>       // make_shared, shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move, pair
#include <vector>       // vector

#include <stg/runtime/tensor.hpp>  // tensor

namespace stg {

/// Types of the numbers of a file, in the order of the reference library: a file's tensors lie in the reverse of it.
enum class safetensors_type {
  boolean,
  f4,
  f6_e2m3,
  f6_e3m2,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  f8_e8m0,
  f8_e4m3fnuz,
  f8_e5m2fnuz,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  c64,
  f64,
  i64,
  u64
};

/// The word of a type in a file: "F32".
std::string_view name_of(safetensors_type type);

/// One tensor of a file: its name, type and shape, and where its bytes lie behind the header.
struct safetensors_entry {
  std::string name;
  safetensors_type type{};
  std::vector<std::int64_t> shape{};
  std::int64_t begin = 0, end = 0;
};

/// Texts of a file by name, in the file's order: its `__metadata__`. As an argument of save_checkpoint they are written
/// into the file; load_checkpoint replaces them by the file's.
///
///   stg::save_checkpoint("run.safetensors", params, optimizer, stg::metadata{{{"epoch", "12"}}});
struct metadata {
  std::vector<std::pair<std::string, std::string>> texts{};
  /// The text of a name. Error when there is none.
  const std::string& at(std::string_view name) const;
};

/// A file of safetensors, open for reading. Its header is held to the rules of the reference library's reader: offsets
/// that cover all bytes, without a hole and without an overlap, in keeping with shapes and types; a header of at most
/// 100 MB. A name given twice is refused, too. The file may be replaced meanwhile: this one goes on with the old bytes.
///
///   const stg::safetensors_file file("gcn.safetensors");
///   auto W = file.read<float>("conv1.lin.weight");                     // (out, in)
class safetensors_file {
 public:
  /// Errors name the file, the offset or the tensor, and what was expected.
  explicit safetensors_file(const std::string& path);

  const std::string& path() const { return path_; }
  /// In the order of their bytes.
  std::span<const safetensors_entry> tensors() const { return tensors_; }
  const stg::metadata& metadata() const { return metadata_; }
  bool has(std::string_view name) const;
  /// Error when there is none of this name.
  const safetensors_entry& at(std::string_view name) const;

  /// A tensor whose type is T's: float, double, float16, bfloat16, std::int32_t, std::int64_t or bool. Errors: any
  /// other type, more than five axes, and a bool that is neither 0 nor 1.
  template <class T> tensor<T> read(std::string_view name) const;
  /// A tensor of any type of numbers but F4, F6, F8 and C64, converted to T. Errors as those of read, and of
  /// read_npy_as for values that T does not hold. T is float, double, std::int32_t, std::int64_t or bool.
  template <class T> tensor<T> read_as(std::string_view name) const;
  /// The bytes of a tensor of any type, as they lie in the file.
  std::vector<std::byte> bytes(std::string_view name) const;

 private:
  [[noreturn]] void fail(const safetensors_entry& tensor, const std::string& what) const;
  dimensions shape_of(const safetensors_entry& tensor) const;
  void copy_bytes(const safetensors_entry& tensor, std::int64_t at, void* to, std::int64_t bytes) const;
  template <class T, class From> void convert(const safetensors_entry& tensor, stg::tensor<T>& to) const;

  struct descriptor {
    int number = -1;
    descriptor() = default;
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor();
  };

  std::string path_;
  descriptor file_{};
  std::int64_t data_ = 0;  // offset of the bytes behind the header
  std::vector<safetensors_entry> tensors_{};
  std::vector<std::size_t> by_name_{};  // positions in tensors_, sorted by name
  stg::metadata metadata_{};
};

/// A file of safetensors that is to be: nothing is written until put_in_place, which replaces the file of this path at
/// once. The bytes are those that the reference library writes.
///
///   stg::safetensors_writer file("gcn.safetensors");
///   file.write("conv1.lin.weight", W);
///   file.put_in_place();
class safetensors_writer {
 public:
  explicit safetensors_writer(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /// A tensor on the host is looked at again by put_in_place and must live as long; of a device the numbers are copied
  /// now. Errors: a name that is given twice, `__metadata__`, or no UTF-8.
  template <class T> void write(const std::string& name, const const_tensor<T>& values) {
    if (values.place().is_host()) add<T>(name, values.shape(), values.data(), nullptr);
    else write(name, values.to(host));
  }
  template <class T> void write(const std::string& name, tensor<T>&& values) {
    if (!values.place().is_host()) return write(name, values.to(host));
    const auto kept = std::make_shared<tensor<T>>(std::move(values));
    add<T>(name, kept->shape(), kept->data(), kept);
  }
  /// A tensor of another file, of any type.
  void write(const std::string& name, const safetensors_file& from, std::string_view of);
  /// Texts. Errors: a name given twice, and what is no UTF-8.
  void write(const metadata& texts);
  /// Errors: a file that cannot be written, brought to the disk or renamed. The file before is there then.
  void put_in_place();

 private:
  struct kept_bytes {
    safetensors_entry entry;
    const void* data = nullptr;
    std::shared_ptr<const void> share{};
  };
  template <class T>
  void add(const std::string& name, const dimensions& shape, const T* data, std::shared_ptr<const void> share);
  void add(safetensors_entry entry, const void* data, std::shared_ptr<const void> share);
  void check_text(const std::string& what, const std::string& text) const;

  std::string path_;
  std::vector<kept_bytes> tensors_{};
  std::vector<std::string> names_{};  // sorted
  metadata metadata_{};
};

}  // namespace stg
