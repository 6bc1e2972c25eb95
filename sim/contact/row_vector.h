// A vector of one number per row of a contact problem, whose length changes as contacts come and go.
//
// Reads and computes like Eigen::VectorXd; unlike it, it keeps its memory when it shrinks, so that a step allocates only when there are more
// rows than ever before. Assigning an expression takes over its length.
#pragma once

#include <Eigen/Core>
#include <new>
#include <vector>

namespace tread {

class RowVector : public Eigen::Map<Eigen::VectorXd> {
 public:
  using Base = Eigen::Map<Eigen::VectorXd>;

  RowVector() : Base(nullptr, 0) {}
  RowVector(const RowVector& other) : RowVector() { *this = other; }
  template <typename Derived>
  RowVector(const Eigen::MatrixBase<Derived>& other) : RowVector() {  // implicit, as in Eigen
    *this = other;
  }

  RowVector& operator=(const RowVector& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }
  template <typename Derived>
  RowVector& operator=(const Eigen::MatrixBase<Derived>& other) {
    if (size() != other.size()) resize(other.size());
    Base::operator=(other);
    return *this;
  }

  void resize(Eigen::Index n) {
    storage_.resize(static_cast<std::size_t>(n));
    new (static_cast<Base*>(this)) Base(storage_.data(), n);  // how Eigen moves a Map elsewhere
  }
  void reserve(Eigen::Index n) {
    storage_.reserve(static_cast<std::size_t>(n));
    resize(size());
  }
  using Base::setZero;
  void setZero(Eigen::Index n) {
    resize(n);
    Base::setZero();
  }

 private:
  std::vector<double> storage_;
};

}  // namespace tread
