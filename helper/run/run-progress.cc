// SPDX-License-Identifier: GPL-2.0-only
#include "run-progress.h"

#include "readable-units.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <unistd.h>

namespace ns3::aifabric
{

namespace
{

constexpr double kBarPeriodS = 0.25;
constexpr double kLinePeriodS = 10;
constexpr int kBarWidth = 24;

double
Steady()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

bool
IsKnown(double fraction)
{
    return fraction >= 0; // NaN is not
}

std::string
Bar(double fraction)
{
    auto full = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
    return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "] ";
}

} // namespace

ProgressStyle
RunProgress::StyleFor(bool quiet)
{
    if (quiet)
    {
        return ProgressStyle::Silent;
    }
    const char* terminal = std::getenv("TERM");
    bool redraws = terminal && *terminal && std::string_view(terminal) != "dumb";
    return isatty(STDERR_FILENO) && redraws ? ProgressStyle::Bar : ProgressStyle::Lines;
}

RunProgress::RunProgress(ProgressStyle style, std::ostream& out, Clock clock)
    : m_style(style),
      m_out(out),
      m_clock(clock ? std::move(clock) : Clock(Steady))
{
    Begin("");
}

RunProgress::~RunProgress()
{
    End();
}

void
RunProgress::Begin(const std::string& label)
{
    End();
    m_label = label.empty() ? "" : label + ": ";
    m_begin = m_lastShow = m_clock();
    // A bar is for what takes long enough to be wondered about.
    m_nextShow = m_begin + (m_style == ProgressStyle::Bar ? 2 * kBarPeriodS : kLinePeriodS);
    m_lastEvents = 0;
}

void
RunProgress::Update(double simulatedS, double fractionDone, uint64_t events)
{
    if (m_style == ProgressStyle::Silent)
    {
        return;
    }
    double now = m_clock();
    if (now >= m_nextShow)
    {
        Show(now, simulatedS, fractionDone, events);
    }
}

void
RunProgress::Show(double now, double simulatedS, double fractionDone, uint64_t events)
{
    bool bar = m_style == ProgressStyle::Bar;
    double passed = now - m_lastShow;
    double rate = passed > 0 ? static_cast<double>(events - m_lastEvents) / passed : 0;
    std::string text = Describe(now - m_begin, simulatedS, fractionDone, rate);
    if (bar)
    {
        // Without wrapping: a second line could not be taken back.
        m_out << "\r\033[K\033[?7l" << m_label << (IsKnown(fractionDone) ? Bar(fractionDone) : "")
              << text << "\033[?7h";
    }
    else
    {
        m_out << m_label << text << "\n";
    }
    m_out.flush();
    m_onLine = bar;
    m_lastShow = now;
    m_lastEvents = events;
    m_nextShow = now + (bar ? kBarPeriodS : kLinePeriodS);
}

void
RunProgress::End()
{
    if (m_onLine)
    {
        m_out << "\r\033[K" << std::flush;
        m_onLine = false;
    }
}

std::string
RunProgress::Describe(double wallS, double simulatedS, double fractionDone, double eventsPerS)
{
    std::string text;
    if (IsKnown(fractionDone))
    {
        char percent[16];
        std::snprintf(percent, sizeof percent, "%3.0f %%, ", std::min(fractionDone, 1.0) * 100);
        text += percent;
    }
    text += ReadableTime(simulatedS) + " simulated, " + ReadableCount(std::round(eventsPerS)) +
            " events/s, ";
    if (fractionDone > 0 && fractionDone < 1)
    {
        double left = wallS / fractionDone * (1 - fractionDone);
        return text + "ETA " + ReadableTime(std::ceil(left));
    }
    return text + ReadableTime(std::round(wallS)) + " so far";
}

} // namespace ns3::aifabric
