// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sack-board.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace ns3::aifabric;

namespace
{

constexpr uint64_t kNone = ~0ULL;

/// What a SackBoard shall do, frame by frame.
struct BoardModel
{
    uint64_t acked{(1ULL << 33) - 3};
    uint64_t lostEnd{0};
    uint64_t sackedEnd{0};
    std::set<uint64_t> arrived;
    std::set<uint64_t> resent;

    uint64_t FindLost() const
    {
        for (uint64_t frame = acked; frame < lostEnd; ++frame)
        {
            if (!arrived.count(frame) && !resent.count(frame))
            {
                return frame;
            }
        }
        return kNone;
    }
};

class SackBoardWindow : public ::testing::TestWithParam<uint32_t>
{
};

TEST_P(SackBoardWindow, FindsEachLostFrameOnce)
{
    const uint32_t span = GetParam();
    std::mt19937_64 random(span);
    SackBoard board(7, span, 0);
    BoardModel model;
    board.Advance(0, model.acked);
    uint64_t sent = model.acked;
    int found = 0;
    for (int step = 0; step < 40000; ++step)
    {
        switch (random() % 8)
        {
        case 0:
        case 1:
            sent = std::min(sent + random() % 5, model.acked + span);
            break;
        case 2:
        case 3:
            if (sent > model.acked + 1)
            {
                const uint64_t frame = model.acked + 1 + random() % (sent - model.acked - 1);
                EXPECT_EQ(board.Add(frame), model.arrived.insert(frame).second);
                model.sackedEnd = std::max(model.sackedEnd, frame + 1);
                const uint64_t end = model.sackedEnd - random() % 2;
                board.Lose(end);
                model.lostEnd = std::max(model.lostEnd, end);
            }
            break;
        case 4:
        case 5:
            if (const uint64_t lost = model.FindLost(); lost != kNone)
            {
                ASSERT_EQ(board.FindLost(model.acked, kNone), lost);
                board.NoteResent(lost + 1);
                model.resent.insert(lost);
                ++found;
            }
            break;
        case 6:
            if (sent > model.acked)
            {
                uint64_t to =
                    model.acked + 1 + random() % std::min<uint64_t>(3, sent - model.acked);
                while (model.arrived.count(to))
                {
                    ++to;
                }
                board.Advance(model.acked, to);
                model.acked = to;
                model.arrived.erase(model.arrived.begin(), model.arrived.lower_bound(to));
            }
            break;
        default:
            if (sent > model.acked && random() % 16 == 0)
            {
                const uint64_t end = model.acked + random() % (sent - model.acked + 1);
                board.LoseAgain(model.acked, end);
                model.arrived.erase(model.acked);
                model.resent.clear();
                model.lostEnd = end;
            }
        }
        ASSERT_EQ(board.FindLost(model.acked, kNone), model.FindLost()) << "step " << step;
        const SentFrames view = board.View(model.acked, sent);
        ASSERT_EQ(view.sackedEnd, std::max(model.sackedEnd, model.acked));
        ASSERT_EQ(board.IsBusy(model.acked),
                  model.sackedEnd > model.acked || model.lostEnd > model.acked);
    }
    EXPECT_GT(found, 100);
}

INSTANTIATE_TEST_SUITE_P(Spans, SackBoardWindow, ::testing::Values(2, 63, 64, 65, 200, 1000));

TEST(SackBoard, KnowsWhatItWasTold)
{
    SackBoard board(6, 100, 0);
    EXPECT_FALSE(board.IsBusy(0));
    EXPECT_TRUE(board.Add(4));
    EXPECT_FALSE(board.Add(4));
    const SentFrames view = board.View(2, 9);
    EXPECT_EQ(view.acked, 2U);
    EXPECT_EQ(view.sackedEnd, 5U);
    EXPECT_EQ(view.sent, 9U);
    EXPECT_EQ(view.window, 6U);
    EXPECT_EQ(board.FindLost(2, kNone), kNone);
    board.Lose(5);
    EXPECT_EQ(board.FindLost(2, kNone), 2U);
    board.NoteResent(4);
    EXPECT_EQ(board.FindLost(2, kNone), kNone);
    // A timeout begins again, with the oldest even if it had arrived: it was refused since.
    board.LoseAgain(4, 5);
    EXPECT_EQ(board.FindLost(4, kNone), 4U);
    board.Advance(4, 5);
    EXPECT_FALSE(board.IsBusy(5));
}

// What has arrived leaves room for others, up to the span.
TEST(SackBoard, LimitGrowsByWhatHasArrived)
{
    SackBoard board(4, 4, 6);
    EXPECT_EQ(board.GetLimit(), 4U);
    board.Add(1);
    EXPECT_EQ(board.GetLimit(), 5U);
    board.Add(2);
    board.Add(3);
    EXPECT_EQ(board.GetLimit(), 6U);
    board.Advance(0, 3);
    EXPECT_EQ(board.GetLimit(), 5U);
    board.Advance(3, 4);
    EXPECT_EQ(board.GetLimit(), 4U);
    SackBoard counting(4, 4, 0);
    counting.Add(1);
    EXPECT_EQ(counting.GetLimit(), 4U);
}

} // namespace
