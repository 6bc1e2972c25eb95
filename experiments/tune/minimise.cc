#include "experiments/tune/minimise.h"

#include <algorithm>
#include <cmath>
#include <nlopt.hpp>

#include "experiments/tune/cma_es.h"

namespace tread {
namespace {

constexpr double kFirstStep = 0.25, kLastStep = 1e-4;  // of the cube's edge
constexpr double kWorst = 1e10;                        // for NLopt's methods, which compute with the values

SearchEnd MinimiseCmaEs(const Point& start, std::uint64_t seed, const EvaluatePoints& evaluate) {
  CmaEs search(start, kFirstStep, seed);
  while (search.largest_step() > kLastStep) {
    std::vector<double> values;
    if (!evaluate(search.Ask(), &values)) return SearchEnd::kStopped;
    search.Tell(values);
  }
  return SearchEnd::kConverged;
}

SearchEnd MinimiseNlopt(const SearchMethod& method, Point start, std::uint64_t seed,
                        const EvaluatePoints& evaluate) {
  nlopt::srand(static_cast<unsigned long>(seed));
  nlopt::opt search(static_cast<nlopt::algorithm>(method.nlopt), static_cast<unsigned>(start.size()));
  search.set_lower_bounds(0.0);
  search.set_upper_bounds(1.0);
  search.set_initial_step(kFirstStep);
  search.set_xtol_abs(kLastStep);
  const nlopt::vfunc value_of = [](const Point& x, Point&, void* data) {
    std::vector<double> values;
    if (!(*static_cast<const EvaluatePoints*>(data))({x}, &values)) throw nlopt::forced_stop();
    return std::isfinite(values[0]) ? values[0] : kWorst;
  };
  search.set_min_objective(value_of, const_cast<EvaluatePoints*>(&evaluate));
  double least = 0;
  try {
    search.optimize(start, least);
  } catch (const nlopt::forced_stop&) {
    return SearchEnd::kStopped;
  } catch (const nlopt::roundoff_limited&) {
    return SearchEnd::kConverged;
  }
  return SearchEnd::kConverged;
}

}  // namespace

const std::vector<SearchMethod>& SearchMethods() {
  static const std::vector<SearchMethod> methods = {
      {"cmaes", "CMA-ES; evaluates side by side", -1, 1},
      {"nlopt_bobyqa", "quadratic models, local", nlopt::LN_BOBYQA, 2},
      {"nlopt_sbplx", "simplex in subspaces, local", nlopt::LN_SBPLX, 1},
      {"nlopt_direct", "dividing rectangles, global", nlopt::GN_DIRECT, 1},
      {"nlopt_crs2", "controlled random search, global", nlopt::GN_CRS2_LM, 1},
      {"nlopt_isres", "evolution by stochastic ranking, global", nlopt::GN_ISRES, 1},
      {"nlopt_esch", "evolution, global", nlopt::GN_ESCH, 1},
  };
  return methods;
}

const SearchMethod* FindSearchMethod(const std::string& name) {
  const auto& methods = SearchMethods();
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return name == m.name; });
  return found == methods.end() ? nullptr : &*found;
}

SearchEnd Minimise(const SearchMethod& method, const Point& start, std::uint64_t seed,
                   const EvaluatePoints& evaluate) {
  return method.nlopt < 0 ? MinimiseCmaEs(start, seed, evaluate)
                          : MinimiseNlopt(method, start, seed, evaluate);
}

}  // namespace tread
