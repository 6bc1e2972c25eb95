#include "sim/contact/block_matrix.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace tread {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Fills every stored block with numbers of its own, through the slots.
void Fill(BlockMatrix* G) {
  double value = 0.3;
  for (int i = 0; i < G->block_count(); ++i) {
    for (int slot = G->row_begin(i); slot < G->row_end(i); ++slot) {
      for (int k = 0; k < G->size(i) * G->size(G->column(slot)); ++k)
        G->block_data(slot)[k] = value = 3.7 * value * (1 - value);  // logistic map: irregular, in (0, 1)
    }
  }
}

TEST(BlockMatrix, ProductsAgreeWithTheDenseMatrixOnEveryPath) {
  const std::pair<std::vector<int>, Pairs> cases[] = {
      {{3, 3, 3, 3}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},  // one panel per row
      {{3, 3, 3}, {{0, 1}, {1, 2}}},                                     // rows of two and three blocks
      {{3, 3, 3, 3}, {{0, 2}, {3, 0}}},                                  // scattered neighbours
      {{3, 1, 3, 2}, {{0, 1}, {0, 2}, {1, 3}}},                          // mixed sizes
      {{1, 1}, {}},
  };
  for (const auto& [sizes, pairs] : cases) {
    BlockMatrix G;
    EXPECT_TRUE(G.SetPattern(sizes, pairs));
    Fill(&G);
    RowVector x = Eigen::VectorXd::LinSpaced(G.rows(), -1, 2), y;
    G.Times(x, &y);
    EXPECT_LT((y - G.ToDense() * x).norm(), 1e-14);
    for (int i = 0; i < G.block_count(); ++i) {
      EXPECT_EQ(G.column(G.diagonal_slot(i)), i);
      EXPECT_EQ(G.Diagonal(i).data(), G.Block(i, i).data());
      for (int slot = G.row_begin(i); slot < G.row_end(i); ++slot)
        EXPECT_EQ(G.block_data(slot), G.Block(i, G.column(slot)).data());
    }
  }
}

TEST(BlockMatrix, EqualPatternKeepsValuesAndStorageAndAnotherStartsFromZero) {
  const std::vector<int> four(4, 3), two(2, 3);
  const Pairs pairs = {{0, 1}, {2, 3}};
  BlockMatrix G;
  EXPECT_TRUE(G.SetPattern(four, pairs));
  Fill(&G);
  const Eigen::MatrixXd before = G.ToDense();
  const double* storage = G.block_data(0);
  EXPECT_FALSE(G.SetPattern(four, pairs));
  EXPECT_EQ(G.ToDense(), before);
  G.SetZero();
  EXPECT_TRUE(G.ToDense().isZero(0));

  EXPECT_TRUE(G.SetPattern(four, Pairs{{0, 1}}));
  EXPECT_TRUE(G.ToDense().isZero(0));
  EXPECT_EQ(G.block_data(0), storage);
  EXPECT_TRUE(G.SetDensePattern(two));
  EXPECT_FALSE(G.SetDensePattern(two));
  EXPECT_EQ(G.neighbours(1).size(), 2u);
  EXPECT_TRUE(G.SetPattern(two, {}));
  EXPECT_EQ(G.neighbours(1).size(), 1u);
  EXPECT_EQ(G.block_data(0), storage);
}

TEST(BlockMatrix, PairsOutsideThePatternAreRefused) {
  BlockMatrix G;
  const std::vector<int> sizes(2, 3);
  EXPECT_THROW(G.SetPattern(sizes, Pairs{{0, 2}}), std::invalid_argument);
  G.SetPattern(sizes, {});
  EXPECT_THROW(G.Block(0, 1), std::out_of_range);
}

}  // namespace
}  // namespace tread
