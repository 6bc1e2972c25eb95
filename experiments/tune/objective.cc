#include "experiments/tune/objective.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "experiments/metrics.h"
#include "robots/nearest.h"

namespace tread {

const char* const kDefaultObjective =
    "tracking.vx.gait_rms_error + tracking.vy.gait_rms_error + tracking.wz.gait_rms_error + fell";

struct Objective::Node {
  enum class Kind {
    kNumber,
    kEntry,
    kFell,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kNegate,
    kFunction,
    kOverRuns
  };
  Kind kind = Kind::kNumber;
  double number = 0;
  std::size_t entry = 0;
  std::string function;
  std::vector<Node> arguments;
};

namespace {

using Node = Objective::Node;
using Kind = Node::Kind;
using Runs = std::vector<RunScalars>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kMaxDepth = 100;

struct Function {
  const char* name;
  std::size_t least, most;  // arguments
  bool over_runs;
};
constexpr std::size_t kAny = 1000;
constexpr Function kFunctions[] = {{"abs", 1, 1, false},    {"sqrt", 1, 1, false},   {"log", 1, 1, false},
                                   {"min", 2, kAny, false}, {"max", 2, kAny, false}, {"mean", 1, 1, true},
                                   {"median", 1, 1, true},  {"p95", 1, 1, true}};

// Recursive descent over the grammar of the header.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& known, bool allow_timing,
         std::vector<std::string>* entries)
      : text_(text), known_(known), allow_timing_(allow_timing), entries_(entries) {}

  Node Parse() {
    Node root = Sum();
    if (Peek() != '\0')
      Fail(at_, std::string("unexpected '") + text_[at_] + "'; expected + - * / or the end");
    return root;
  }

 private:
  [[noreturn]] void Fail(std::size_t at, const std::string& what) const {
    throw std::invalid_argument("--objective '" + text_ + "': character " + std::to_string(at + 1) + ": " +
                                what);
  }
  char Peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  static Node Make(Kind kind, std::vector<Node> arguments) {
    Node node;
    node.kind = kind;
    node.arguments = std::move(arguments);
    return node;
  }

  Node Sum() {
    if (++depth_ > kMaxDepth) Fail(at_, "nested too deeply; use fewer parentheses");
    Node left = Product();
    for (char c = Peek(); c == '+' || c == '-'; c = Peek()) {
      ++at_;
      left = Make(c == '+' ? Kind::kAdd : Kind::kSubtract, {std::move(left), Product()});
    }
    --depth_;
    return left;
  }
  Node Product() {
    Node left = Sign();
    for (char c = Peek(); c == '*' || c == '/'; c = Peek()) {
      ++at_;
      left = Make(c == '*' ? Kind::kMultiply : Kind::kDivide, {std::move(left), Sign()});
    }
    return left;
  }
  Node Sign() {
    bool negative = false;
    while (Take('-')) negative = !negative;
    Node value = Value();
    return negative ? Make(Kind::kNegate, {std::move(value)}) : value;
  }
  Node Value() {
    const char c = Peek();
    if (c == '(') {
      ++at_;
      Node inner = Sum();
      if (!Take(')')) Fail(at_, "expected ')'");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return Number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return Name();
    Fail(at_, (c == '\0' ? std::string("it ends here") : std::string("unexpected '") + c + "'") +
                  "; expected a number, an entry of summary.json, a function or '('");
  }
  Node Number() {
    Node node;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), node.number);
    if (error != std::errc() || !std::isfinite(node.number))
      Fail(at_, "not a number; write it as 0.5 or 1e-3");
    at_ += static_cast<std::size_t>(end - first);
    return node;
  }
  Node Name() {
    const std::size_t start = at_;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    const std::string name = text_.substr(start, at_ - start);
    return Peek() == '(' ? Call(name, start) : Entry(name, start);
  }
  Node Entry(const std::string& name, std::size_t start) {
    Node node;
    if (name == "fell") {
      node.kind = Kind::kFell;
      return node;
    }
    if (IsTiming(name) && !allow_timing_)
      Fail(start, name + " is wall-clock time, which no run repeats; leave it out, or give --allow-timing");
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      std::vector<std::string> names = known_;
      names.push_back("fell");
      const std::string nearest = Nearest(name, names);
      Fail(start, name + ": no such number in summary.json" +
                      (nearest.empty() ? "; 'tread run CONFIG --json' shows what there is"
                                       : "; did you mean '" + nearest + "'?"));
    }
    node.kind = Kind::kEntry;
    const auto used = std::find(entries_->begin(), entries_->end(), name);
    node.entry = static_cast<std::size_t>(used - entries_->begin());
    if (used == entries_->end()) entries_->push_back(name);
    return node;
  }
  Node Call(const std::string& name, std::size_t start) {
    const Function* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                            [&](const Function& f) { return name == f.name; });
    if (function == std::end(kFunctions)) {
      std::vector<std::string> names;
      for (const Function& f : kFunctions) names.emplace_back(f.name);
      Fail(start, name + ": no such function" + DidYouMean(name, names));
    }
    if (function->over_runs && in_run_) Fail(start, name + " inside of one that is over runs already");
    const bool outside = in_run_;
    in_run_ = in_run_ || function->over_runs;
    Node node;
    node.kind = function->over_runs ? Kind::kOverRuns : Kind::kFunction;
    node.function = name;
    Take('(');
    do {
      node.arguments.push_back(Sum());
    } while (Take(','));
    if (!Take(')')) Fail(at_, "expected ')' or ','");
    in_run_ = outside;
    const std::size_t n = node.arguments.size();
    if (n < function->least || n > function->most)
      Fail(start, name + " takes " + (function->most == kAny ? "two or more values" : "one value"));
    return node;
  }

  const std::string& text_;
  const std::vector<std::string>& known_;
  bool allow_timing_, in_run_ = false;
  std::vector<std::string>* entries_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// Over the runs of which pick(run) is a number.
template <typename Pick>
Series Gather(const Runs& runs, Pick pick) {
  Series series;
  for (const RunScalars& run : runs) {
    if (const double x = pick(run); !std::isnan(x)) series.Add(x);
  }
  return series;
}

// run: the one that entries are taken from; null: their means.
double Compute(const Node& node, const Runs& runs, const RunScalars* run) {
  const auto argument = [&](std::size_t i) { return Compute(node.arguments[i], runs, run); };
  const auto entry = [&](auto pick) {
    if (run != nullptr) return pick(*run);
    const Series all = Gather(runs, pick);
    return all.empty() ? kNan : all.mean();
  };
  switch (node.kind) {
    case Kind::kNumber:
      return node.number;
    case Kind::kEntry:
      return entry([&](const RunScalars& r) { return r.values[node.entry]; });
    case Kind::kFell:
      return entry([](const RunScalars& r) { return r.fell ? 1.0 : 0.0; });
    case Kind::kAdd:
      return argument(0) + argument(1);
    case Kind::kSubtract:
      return argument(0) - argument(1);
    case Kind::kMultiply:
      return argument(0) * argument(1);
    case Kind::kDivide:
      return argument(0) / argument(1);
    case Kind::kNegate:
      return -argument(0);
    case Kind::kOverRuns: {
      const Series all =
          Gather(runs, [&](const RunScalars& r) { return Compute(node.arguments[0], runs, &r); });
      if (all.empty()) return kNan;
      return node.function == "mean" ? all.mean() : all.percentile(node.function == "p95" ? 0.95 : 0.5);
    }
    case Kind::kFunction:
      break;
  }
  double x = argument(0);
  if (node.function == "abs") return std::abs(x);
  if (node.function == "sqrt") return std::sqrt(x);
  if (node.function == "log") return std::log(x);
  for (std::size_t i = 1; i < node.arguments.size(); ++i) {
    const double y = argument(i);
    if (std::isnan(x) || std::isnan(y)) return kNan;
    x = node.function == "min" ? std::min(x, y) : std::max(x, y);
  }
  return x;
}

}  // namespace

Objective::Objective(const std::string& text, const std::vector<std::string>& known, bool allow_timing)
    : text_(text) {
  constexpr std::size_t kLongest = 10000;  // a sum is as deep as it has terms
  if (text.size() > kLongest)
    throw std::invalid_argument("--objective: longer than 10000 characters; shorten it");
  root_ = std::make_unique<Node>(Parser(text_, known, allow_timing, &entries_).Parse());
}
Objective::~Objective() = default;
Objective::Objective(Objective&&) noexcept = default;

double Objective::Value(const std::vector<RunScalars>& runs) const {
  const double value = Compute(*root_, runs, nullptr);
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

}  // namespace tread
