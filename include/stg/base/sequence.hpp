// A growable array whose elements are counted by int: what programs and passes are made of.
//
// std::vector would do. But passes run in constant evaluation, where compilers count every call and every statement
// against a budget, and std::vector makes five to ten of them of what is one here: reading an element, going to the
// next, filling a table. So programs may be three times as long, and take half the time.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <concepts>          // integral, same_as
#include <cstddef>           // size_t
#include <initializer_list>  // initializer_list
#include <memory>            // allocator, construct_at, destroy_at
#include <utility>           // move

namespace stg {

/// Elements 0 to size() - 1. An index is not checked, but for constant evaluation, where the compiler does it.
///
///   sequence<int> uses(p.size());       // zeros
///   ++uses[p[i].operands[0]];           // an index is an int, as a value_id is
template <class T> class sequence {
 public:
  using value_type = T;
  using size_type = int;

  /// The elements. For what is read so often that a call for each, which operator[] is, would be too many.
  T* first = nullptr;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr sequence() = default;
  // Constructors that make elements begin with an empty sequence, which is destroyed where an element throws.
  /// n elements T(); of plain numbers zeros, which takes no step for each.
  constexpr explicit sequence(int n) : sequence() {
    if constexpr (is_number) {
      if (n > 0) first = new T[static_cast<std::size_t>(n)]();  // nvcc makes no array of nothing
      size_ = room_ = n;
    } else {
      resize(n);
    }
  }
  constexpr sequence(int n, const T& value) : sequence() { assign(n, value); }
  constexpr sequence(std::initializer_list<T> all) : sequence() { append(all.begin(), static_cast<int>(all.size())); }
  /// A copy of what lies one after the other elsewhere, as in a std::vector.
  template <class Range>
    requires std::same_as<typename Range::value_type, T>
  constexpr sequence(const Range& all) : sequence() { append(all.data(), static_cast<int>(all.size())); }
  constexpr sequence(const sequence& other) : sequence() { append(other.first, other.size_); }
  constexpr sequence(sequence&& other) noexcept { swap(other); }
  constexpr sequence& operator=(const sequence& other) {
    if (this != &other) {
      clear();
      append(other.first, other.size_);
    }
    return *this;
  }
  constexpr sequence& operator=(sequence&& other) noexcept {
    sequence(std::move(other)).swap(*this);
    return *this;
  }
  constexpr ~sequence() { give_back(first, size_, room_); }

  /// By hand: std::swap would be twelve calls, and eight hundred classes more in a file with a model.
  constexpr void swap(sequence& other) noexcept {
    T* const taken = first;
    const int size = size_, room = room_;
    first = other.first;
    size_ = other.size_;
    room_ = other.room_;
    other.first = taken;
    other.size_ = size;
    other.room_ = room;
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  template <std::integral Index> constexpr T& operator[](Index at) { return first[at]; }
  template <std::integral Index> constexpr const T& operator[](Index at) const { return first[at]; }
  constexpr T* data() { return first; }
  constexpr const T* data() const { return first; }
  constexpr T* begin() { return first; }
  constexpr const T* begin() const { return first; }
  constexpr T* end() { return first + size_; }
  constexpr const T* end() const { return first + size_; }
  constexpr T& back() { return first[size_ - 1]; }
  constexpr const T& back() const { return first[size_ - 1]; }

  constexpr void push_back(const T& value) {
    if (size_ == room_) return push_back(T(value));  // which may lie in the memory that is given up
    if constexpr (is_number) first[size_] = value;
    else std::construct_at(first + size_, value);
    ++size_;  // counted once it is there: making it may take memory
  }
  constexpr void push_back(T&& value) {
    if (size_ == room_) reserve(2 * room_ + 8);
    if constexpr (is_number) first[size_] = value;
    else std::construct_at(first + size_, std::move(value));
    ++size_;
  }
  constexpr void pop_back() {
    --size_;
    destroy(first + size_, 1);
  }
  constexpr void clear() { resize(0); }
  /// New elements are T().
  constexpr void resize(int n) {
    if (n > room_) reserve(n);
    if (n > size_) return fill(n, T());
    destroy(first + n, size_ - n);
    size_ = n;
  }
  constexpr void assign(int n, const T& value) {
    if constexpr (is_number) {
      if (value == T()) {
        *this = sequence(n);
        return;
      }
    }
    const T copy = value;
    clear();
    if (n > room_) reserve(n);
    fill(n, copy);
  }
  /// n elements that lie one after the other, none of them in this sequence.
  constexpr void append(const T* from, int n) {
    if (size_ + n > room_) reserve(size_ + n);
    if constexpr (is_number) {
      T* const to = first + size_;
      for (int i = 0; i < n; ++i) to[i] = from[i];
      size_ += n;
    } else {
      for (int i = 0; i < n; ++i, ++size_) std::construct_at(first + size_, from[i]);
    }
  }
  constexpr void reserve(int n) {
    if (n <= room_ || n <= 0) return;  // the second for g++, which warns of an array of no elements
    T* const larger = room_for(n);
    if constexpr (is_number)
      for (int i = 0; i < size_; ++i) larger[i] = first[i];
    else
      for (int i = 0; i < size_; ++i) std::construct_at(larger + i, std::move(first[i]));
    give_back(first, size_, room_);
    first = larger;
    room_ = n;
  }

  constexpr bool operator==(const sequence& other) const {
    if (size_ != other.size_) return false;
    for (int i = 0; i < size_; ++i)
      if (!(first[i] == other.first[i])) return false;
    return true;
  }

 private:
  // Numbers exist before they are used, which saves a call for each. Everything else is constructed where it is used:
  // for new T[n]() compilers go through T's initialisers n times, at eight times the price of a copy.
  // Both are asked of the compiler: what <type_traits> makes of the same questions is forty classes for each T, a third
  // of all that a file with a model instantiates.
  static constexpr bool is_number = !__is_class(T);
#if defined(__clang__)
  static constexpr bool is_trivial = __is_trivially_destructible(T);
#else
  static constexpr bool is_trivial = __has_trivial_destructor(T);
#endif

  static constexpr T* room_for(int n) {
    if constexpr (is_number) return new T[static_cast<std::size_t>(n)];
    else return std::allocator<T>().allocate(static_cast<std::size_t>(n));
  }
  static constexpr void give_back(T* elements, int size, int room) {
    if (elements == nullptr) return;
    if constexpr (is_number) {
      delete[] elements;
    } else {
      destroy(elements, size);
      std::allocator<T>().deallocate(elements, static_cast<std::size_t>(room));
    }
  }
  static constexpr void destroy([[maybe_unused]] T* elements, [[maybe_unused]] int n) {
    if constexpr (!is_trivial)
      for (int i = 0; i < n; ++i) std::destroy_at(elements + i);
  }
  /// Copies of one value behind the last element, until there are n.
  constexpr void fill(int n, const T& value) {
    if constexpr (is_number)
      for (; size_ < n; ++size_) first[size_] = value;
    else
      for (; size_ < n; ++size_) std::construct_at(first + size_, value);
  }

  int size_ = 0;
  int room_ = 0;
};

/// Where the elements of an array, or of a sequence, lie.
template <class T> constexpr const T* first_of(const T* list) { return list; }
template <class T> constexpr const T* first_of(const sequence<T>& list) { return list.first; }

}  // namespace stg
