// Files and datasets of HDF5, opened by its library; its errors as sentences.
#pragma once

#include <hdf5.h>  // hid_t

#include <cstdint>  // int64_t
#include <mutex>    // unique_lock
#include <string>   // string
#include <utility>  // exchange
#include <vector>   // vector

#include <stg/runtime/dimensions.hpp>  // dimensions

namespace stg::hdf5 {

/// Something that the library opened, closed at the end.
class handle {
 public:
  using closing = herr_t (*)(hid_t);
  handle(hid_t id, closing close) : id_(id), close_(close) {}
  handle(handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  handle& operator=(handle&&) = delete;
  ~handle() {
    if (is_open()) close_(id_);
  }
  bool is_open() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  closing close_;
};

/// What a type of numbers is.
struct number_type {
  bool is_integer = false, is_signed = false, is_boolean = false;
  std::size_t bytes = 0;
  std::string said() const;  // "int32"
  bool operator==(const number_type&) const = default;
};

/// The library while one thread uses it, as its plain build asks: it prints nothing, and its user's settings come back.
class library_use {
 public:
  library_use();
  library_use(const library_use&) = delete;
  library_use& operator=(const library_use&) = delete;
  ~library_use();

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* of_print_ = nullptr;
};

/// A dataset that is open.
struct dataset {
  handle id, type, space;
  dimensions shape{};  // of arrays of up to five axes
};

/// A file that is read.
class file {
 public:
  explicit file(const std::string& path);

  bool has(const std::string& path) const;
  /// Errors: no such dataset, data in other files, a shape that no tensor has.
  dataset open(const std::string& path) const;
  /// Paths of all datasets.
  std::vector<std::string> datasets() const;
  /// Members of the root with an attribute pandas_type, and what it says: `frame`, `frame_table`.
  std::vector<std::pair<std::string, std::string>> frames() const;
  /// A text that belongs to an object; empty where it has none.
  std::string attribute(const std::string& object, const char* name) const;

  /// An error that names the file, or a dataset.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const std::string& dataset, const std::string& what) const;
  /// The same with what the library said of its last call.
  [[noreturn]] void fail_by_library(const std::string& dataset, const std::string& what) const;

  /// Refuses a dataset that claims more bytes than its file can hold.
  void require_bytes(const std::string& path, const dataset& d, std::size_t element_bytes) const;
  /// What a dataset of numbers holds; refuses others.
  number_type numbers_of(const std::string& path, const dataset& d) const;

 private:
  dimensions shape_of(const std::string& path, const dataset& d) const;

  std::string path_;
  handle id_;
};

}  // namespace stg::hdf5
