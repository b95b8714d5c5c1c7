// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_PROGRESS_H
#define AIFABRIC_RUN_PROGRESS_H

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-run
/// How progress is shown.
enum class ProgressStyle
{
    Silent,
    Lines, ///< a line every 10 s: for logs
    Bar    ///< a bar that is redrawn in place: for terminals
};

/**
 * @ingroup ai-fabric-run
 * Shows how far a run is: simulated time, share of the work, events per second, time left.
 *
 * It schedules nothing, so that a run has the same events with and without it: the runner calls
 * Update() as often as it likes, and a look at the clock decides whether there is something to show.
 */
class RunProgress
{
  public:
    /// @return Silent when quiet, a bar where stderr is a terminal that can redraw, else lines.
    static ProgressStyle StyleFor(bool quiet);

    /// Seconds of a clock that never goes back.
    using Clock = std::function<double()>;

    /// @param clock for tests; without, the machine's.
    RunProgress(ProgressStyle style, std::ostream& out, Clock clock = nullptr);
    /// As End().
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// @param label what runs now: "dcqcn, seed 2"; may be empty.
    void Begin(const std::string& label);

    /**
     * @param simulatedS simulated time.
     * @param fractionDone share of the work that is done, 0 to 1; NaN or less where nobody knows.
     * @param events executed since Begin().
     */
    void Update(double simulatedS, double fractionDone, uint64_t events);

    /// The run is over: takes the bar away. Also call it before anything else is printed.
    void End();

    /// @return what a line shows, for any time since Begin().
    static std::string
    Describe(double wallS, double simulatedS, double fractionDone, double eventsPerS);

  private:
    void Show(double now, double simulatedS, double fractionDone, uint64_t events);

    ProgressStyle m_style;
    std::ostream& m_out;
    Clock m_clock;
    std::string m_label;
    double m_begin{0};
    double m_nextShow{0};
    double m_lastShow{0};
    uint64_t m_lastEvents{0};
    bool m_onLine{false}; ///< a bar stands on the last line
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_PROGRESS_H
