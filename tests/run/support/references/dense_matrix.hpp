// Small dense matrices for references: Eigen's products and sums, each evaluated at once, so that an operator is
// compiled once and not for every formula that it stands in.
#pragma once

#include <Eigen/Core>  // MatrixXd

#include <cmath>    // sqrt
#include <utility>  // move
#include <vector>   // vector

namespace stg::references {

class matrix {
 public:
  matrix(int rows, int columns) : m(Eigen::MatrixXd::Zero(rows, columns)) {}
  /// Numbers row by row.
  matrix(int rows, int columns, const std::vector<double>& numbers) : m(rows, columns) {
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < columns; ++k) m(i, k) = numbers.at(static_cast<std::size_t>(i * columns + k));
  }
  static matrix identity(int n) { return matrix(Eigen::MatrixXd::Identity(n, n)); }

  int rows() const { return static_cast<int>(m.rows()); }
  int columns() const { return static_cast<int>(m.cols()); }
  double& operator()(int i, int k) { return m(i, k); }
  double operator()(int i, int k) const { return m(i, k); }

  friend matrix operator*(const matrix& a, const matrix& b) { return matrix(a.m * b.m); }
  friend matrix operator*(double a, const matrix& b) { return matrix(a * b.m); }
  friend matrix operator+(const matrix& a, const matrix& b) { return matrix(a.m + b.m); }
  friend matrix operator-(const matrix& a, const matrix& b) { return matrix(a.m - b.m); }
  /// Element by element.
  friend matrix hadamard(const matrix& a, const matrix& b) { return matrix(a.m.cwiseProduct(b.m)); }
  friend matrix largest(const matrix& a, const matrix& b) { return matrix(a.m.cwiseMax(b.m)); }
  template <class F> friend matrix each(const matrix& a, F f) {
    matrix y = a;
    for (int i = 0; i < a.rows(); ++i)
      for (int k = 0; k < a.columns(); ++k) y(i, k) = f(a(i, k));
    return y;
  }
  /// The same row under every row; and columns side by side.
  friend matrix with_row(const matrix& a, const matrix& row) { return matrix(a.m.rowwise() + row.m.row(0)); }
  friend matrix beside(const matrix& a, const matrix& b) {
    Eigen::MatrixXd y(a.m.rows(), a.m.cols() + b.m.cols());
    y.leftCols(a.m.cols()) = a.m;
    y.rightCols(b.m.cols()) = b.m;
    return matrix(std::move(y));
  }
  matrix transposed() const { return matrix(m.transpose()); }
  matrix row(int i) const { return matrix(m.row(i)); }
  matrix rows(int first, int count) const { return matrix(m.middleRows(first, count)); }
  matrix middle(int first, int count) const { return matrix(m.middleCols(first, count)); }
  /// A square matrix with these numbers, a column, on its diagonal.
  matrix diagonal() const { return matrix(m.col(0).asDiagonal()); }
  matrix sum_of_rows() const { return matrix(m.colwise().sum()); }     // (1, columns)
  matrix sum_of_columns() const { return matrix(m.rowwise().sum()); }  // (rows, 1)
  matrix mean_of_rows() const { return 1.0 / rows() * sum_of_rows(); }
  double sum() const { return m.sum(); }

  std::vector<double> numbers() const {
    std::vector<double> all;
    for (int i = 0; i < rows(); ++i)
      for (int k = 0; k < columns(); ++k) all.push_back(m(i, k));
    return all;
  }

 private:
  explicit matrix(Eigen::MatrixXd values) : m(std::move(values)) {}

  Eigen::MatrixXd m;
};

inline matrix power(const matrix& a, int n) { return n == 0 ? matrix::identity(a.rows()) : a * power(a, n - 1); }
inline matrix relu(const matrix& a) {
  return each(a, [](double x) { return x > 0 ? x : 0; });
}
inline matrix square(const matrix& a) { return hadamard(a, a); }

}  // namespace stg::references
