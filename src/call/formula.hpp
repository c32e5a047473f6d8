// A size as a formula: a sum of integers times products of |V|, |E| and named extents.
#pragma once

#include <algorithm>  // sort
#include <cstdint>    // int64_t
#include <string>     // string
#include <vector>     // vector

#include <stg/ir/extent.hpp>  // polynomial

namespace stg {

/// Unlike ir::polynomial of any length, and for run time only: totals over a whole program have many terms.
///
///   (formula("|V|") * 4 + formula(64)).spelled() == "4*|V| + 64"
class formula {
 public:
  formula(std::int64_t value = 0) { add({{}, value}); }
  explicit formula(const char* name) { add({{name}, 1}); }
  explicit formula(const ir::polynomial& p) {
    for (int i = 0; i < p.count; ++i) {
      term t{{}, p.terms[i].coefficient};
      for (int f = 0; f < p.terms[i].degree; ++f) t.factors.emplace_back(p.terms[i].factors[f].view());
      add(t);
    }
  }

  formula& operator+=(const formula& other) {
    for (const term& t : other.terms_) add(t);
    return *this;
  }
  friend formula operator+(formula a, const formula& b) { return a += b; }
  friend formula operator*(const formula& a, const formula& b) {
    formula product;
    for (const term& x : a.terms_)
      for (const term& y : b.terms_) {
        term t{x.factors, x.coefficient * y.coefficient};
        t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
        std::sort(t.factors.begin(), t.factors.end());  // extents first: '|' comes after all letters
        product.add(t);
      }
    return product;
  }
  bool operator==(const formula&) const = default;

  bool is_zero() const { return terms_.empty(); }
  bool contains(const std::string& name) const {
    for (const term& t : terms_)
      if (std::find(t.factors.begin(), t.factors.end(), name) != t.factors.end()) return true;
    return false;
  }
  /// Whether no choice of sizes makes it larger than the other one. Sizes may be 0, coefficients are not negative here.
  bool at_most(const formula& other) const {
    for (const term& t : terms_) {
      const auto at =
          std::find_if(other.terms_.begin(), other.terms_.end(), [&](const term& o) { return o.factors == t.factors; });
      if (at == other.terms_.end() || at->coefficient < t.coefficient) return false;
    }
    return true;
  }
  /// size_of(name) gives the size of a name.
  template <class SizeOf> std::int64_t evaluate(const SizeOf& size_of) const {
    std::int64_t sum = 0;
    for (const term& t : terms_) {
      std::int64_t product = t.coefficient;
      for (const std::string& name : t.factors) product *= size_of(name);
      sum += product;
    }
    return sum;
  }

  std::string spelled() const {
    std::string s;
    for (const term& t : terms_) {
      if (!s.empty()) s += " + ";
      if (t.coefficient != 1 || t.factors.empty()) s += std::to_string(t.coefficient) + (t.factors.empty() ? "" : "*");
      for (std::size_t f = 0; f < t.factors.size(); ++f) s += (f > 0 ? "*" : "") + t.factors[f];
    }
    return s.empty() ? "0" : s;
  }

 private:
  struct term {
    std::vector<std::string> factors;
    std::int64_t coefficient;
    bool operator==(const term&) const = default;
    bool before(const term& o) const {  // longer products first: they are what grows
      return factors.size() != o.factors.size() ? factors.size() > o.factors.size() : factors < o.factors;
    }
  };
  void add(const term& t) {
    if (t.coefficient == 0) return;
    auto at = terms_.begin();
    while (at != terms_.end() && at->before(t)) ++at;
    if (at == terms_.end() || at->factors != t.factors) terms_.insert(at, t);
    else if ((at->coefficient += t.coefficient) == 0) terms_.erase(at);
  }

  std::vector<term> terms_;
};

}  // namespace stg
