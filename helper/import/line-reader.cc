// SPDX-License-Identifier: GPL-2.0-only
#include "line-reader.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace ns3::aifabric
{

namespace
{

/// A file of one line that is no text must not become millions of words.
constexpr std::size_t kMostWords = 1 << 22;
constexpr char kSpace[] = " \t\r\v\f";

struct Unit
{
    std::string_view name;
    double factor;
};

/// As ns3::DataRate reads them; its K is 1000, Ki is 1024.
constexpr Unit kRateUnits[] = {
    {"", 1},           {"bps", 1},     {"b/s", 1},     {"Bps", 8},      {"B/s", 8},
    {"kbps", 1e3},     {"kb/s", 1e3},  {"Kbps", 1e3},  {"Kb/s", 1e3},   {"kBps", 8e3},
    {"kB/s", 8e3},     {"KBps", 8e3},  {"KB/s", 8e3},  {"Mbps", 1e6},   {"Mb/s", 1e6},
    {"MBps", 8e6},     {"MB/s", 8e6},  {"Gbps", 1e9},  {"Gb/s", 1e9},   {"GBps", 8e9},
    {"GB/s", 8e9},     {"Tbps", 1e12}, {"Tb/s", 1e12}, {"Kib/s", 1024}, {"Mib/s", 1048576},
    {"Gib/s", 1 << 30}};

/// As ns3::Time reads them.
constexpr Unit kTimeUnits[] =
    {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"fs", 1e-15}};

/// Reads a number and the unit behind it. @return false unless both are there in full.
template <std::size_t N>
bool
ReadQuantity(std::string_view text, const Unit (&units)[N], double& value)
{
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(end - text.data());
    auto unit = std::find_if(units, units + N, [&](const Unit& u) { return u.name == text; });
    if (error != std::errc() || unit == units + N)
    {
        return false;
    }
    value *= unit->factor;
    return true;
}

} // namespace

bool
LineReader::NextLine(std::vector<Word>& words)
{
    words.clear();
    while (words.empty() && !m_text.empty())
    {
        std::size_t end = std::min(m_text.find('\n'), m_text.size());
        std::string_view line = m_text.substr(0, end);
        ++m_line;
        for (std::size_t at = line.find_first_not_of(kSpace); at < line.size();)
        {
            std::size_t past = std::min(line.find_first_of(kSpace, at), line.size());
            words.push_back({line.substr(at, past - at), m_line});
            if (words.size() > kMostWords)
            {
                throw ScenarioError("line " + std::to_string(m_line), "is too long");
            }
            at = line.find_first_not_of(kSpace, past);
        }
        m_text.remove_prefix(std::min(end + 1, m_text.size()));
    }
    return !words.empty();
}

std::size_t
LineReader::SkipRest()
{
    std::vector<Word> words;
    std::size_t lines = 0;
    while (NextLine(words))
    {
        ++lines;
    }
    return lines;
}

std::string
Printable(std::string_view text)
{
    constexpr std::size_t kMost = 40;
    std::string shown(text.substr(0, kMost));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
}

void
FailAt(const Word& word, const std::string& expected)
{
    throw ScenarioError("line " + std::to_string(word.line),
                        "found '" + Printable(word.text) + "', expected " + expected);
}

uint64_t
ReadWhole(const Word& word, const std::string& name, uint64_t low, uint64_t high)
{
    uint64_t value = 0;
    const char* last = word.text.data() + word.text.size();
    auto [end, error] = std::from_chars(word.text.data(), last, value);
    if (error != std::errc() || end != last || value < low || value > high)
    {
        FailAt(word,
               name + ", a whole number from " + std::to_string(low) + " to " +
                   std::to_string(high));
    }
    return value;
}

double
ReadNumber(const Word& word, const std::string& name, double low, double high)
{
    double value = 0;
    const char* last = word.text.data() + word.text.size();
    auto [end, error] = std::from_chars(word.text.data(), last, value);
    if (error != std::errc() || end != last || !(value >= low && value <= high))
    {
        std::ostringstream range;
        range << name << ", a number from " << low << " to " << high;
        FailAt(word, range.str());
    }
    return value;
}

double
ReadRate(const Word& word)
{
    double rate = 0;
    if (!ReadQuantity(word.text, kRateUnits, rate) || !(rate >= 1 && rate <= 1e18))
    {
        FailAt(word, "a rate such as 100Gbps or 100000000000");
    }
    return rate;
}

Tick
ReadDelay(const Word& word)
{
    double seconds = 0;
    if (!ReadQuantity(word.text, kTimeUnits, seconds) || !(seconds >= 0 && seconds <= 9.2e6))
    {
        FailAt(word, "a time such as 1us or 0.001ms");
    }
    return std::llround(seconds * kSecond);
}

} // namespace ns3::aifabric
