#include "sim/contact/ccp_pgs.h"

#include <Eigen/Eigenvalues>

#include "sim/contact/gauss_seidel.h"

namespace tread {
namespace {

class CcpPgsRule {
 public:
  static constexpr ContactLaw kLaw = ContactLaw::kCcp;
  struct Contact {
    double mu, step;  // step 0 where the block is 0: the contact keeps its force
  };

  explicit CcpPgsRule(const ContactSolverConfig& config) : paper_step_(config.paper_step) {}

  void BeginSweep(int) {}

  bool Prepare(const double* A, double mu, Contact* contact) const {
    const Eigen::Map<const Eigen::Matrix3d> block(A);
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
    if (!paper_step_) eigen.computeDirect(block, Eigen::EigenvaluesOnly);
    // the closed form of the eigenvalues is good to half the digits; a step longer by that much is still far below 2 / lambda_max
    const double curvature = paper_step_ ? block.trace() / 3 : eigen.eigenvalues()[2];
    *contact = {mu, curvature > 0 ? 1 / curvature : 0};
    return true;
  }

  void Update(const Contact& contact, const double* old, const double* sigma, double* next) const {
    const Eigen::Map<const Eigen::Vector3d> l(old), s(sigma);
    Eigen::Map<Eigen::Vector3d> out(next);
    out = ProjectCircularCone(contact.mu, l - contact.step * s);
  }

 private:
  bool paper_step_;
};

}  // namespace

std::unique_ptr<ContactSolver> MakeCcpPgs(const ContactSolverConfig& config) {
  return std::make_unique<GaussSeidel<CcpPgsRule>>(config);
}

}  // namespace tread
