// SPDX-License-Identifier: GPL-2.0-only
#include "open-loop-pattern.h"

#include "ns3/boolean.h"
#include "ns3/scenario-error.h"

namespace ns3::aifabric
{

namespace
{

/**
 * Sources that offer their load in periods and pause between them: an interrupted Poisson process.
 *
 * Each source has periods of its own, exponentially distributed and stationary from the start: it
 * begins within a period with probability on / (on + off), and its mean load is LoadRatio times
 * that. Synchronized sources have the same periods of fixed length, the first at the start, as the
 * ranks of a training job do.
 */
class OnOff : public OpenLoopPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::OnOff")
                .SetParent<OpenLoopPattern>()
                .SetGroupName("AiFabric")
                .AddConstructor<OnOff>()
                .AddAttribute("OnTime",
                              "Mean time in which a source sends.",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&OnOff::m_onTime),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("OffTime",
                              "Mean time of its pauses.",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&OnOff::m_offTime),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("Synchronized",
                              "All sources send and pause together, in periods of fixed length.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&OnOff::m_synchronized),
                              MakeBooleanChecker());
        return tid;
    }

  private:
    void DoGenerate(const TrafficContext& context, std::vector<FlowSpec>& flows) const override
    {
        if (m_onTime.IsZero())
        {
            throw ScenarioError("on_time", "found 0, expected a time in which sources send");
        }
        CheckCount(static_cast<double>(GetDuration()) / (On() + Off()) *
                   static_cast<double>(context.nicRates.size()));
        OpenLoopPattern::DoGenerate(context, flows);
    }

    Window NextWindow(RandomStream& random, const Window* before) const override
    {
        double begin = before ? before->end : 0;
        if (m_synchronized)
        {
            begin += before ? Off() : 0;
            return {begin, begin + On()};
        }
        if (before || random.Uniform() * (On() + Off()) >= On())
        {
            begin += Off() * Exponential(random);
        }
        return {begin, begin + On() * Exponential(random)};
    }

    double On() const
    {
        return static_cast<double>(ToTick(m_onTime));
    }

    double Off() const
    {
        return static_cast<double>(ToTick(m_offTime));
    }

    Time m_onTime;
    Time m_offTime;
    bool m_synchronized;
};

NS_OBJECT_ENSURE_REGISTERED(OnOff);

} // namespace

} // namespace ns3::aifabric
