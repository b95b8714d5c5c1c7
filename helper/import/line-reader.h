// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LINE_READER_H
#define AIFABRIC_LINE_READER_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric
/// A word of a text file and the line it stands in.
struct Word
{
    std::string_view text;
    std::size_t line; ///< counts from 1
};

/**
 * @ingroup ai-fabric
 * Splits a text of lines into words between white space; any of LF and CRLF ends a line. Keeps views
 * of the text, which must outlive it.
 */
class LineReader
{
  public:
    explicit LineReader(std::string_view text)
        : m_text(text)
    {
    }

    /**
     * @param words set to those of the next line that has any.
     * @return false at the end.
     * @throws ScenarioError for a line of more words than any list of ours has.
     */
    bool NextLine(std::vector<Word>& words);

    /// @return number of the line read last.
    std::size_t Line() const
    {
        return m_line;
    }

    /// @return how many lines with words are still to come; skips them.
    std::size_t SkipRest();

  private:
    std::string_view m_text;
    std::size_t m_line{0};
};

/// @return the beginning of a text, without what a terminal or JSON could trip over.
std::string Printable(std::string_view text);

/// @throws ScenarioError "line N: found 'WORD', expected EXPECTED".
[[noreturn]] void FailAt(const Word& word, const std::string& expected);

/// @throws ScenarioError unless the word is a whole number within bounds; name tells which one.
uint64_t ReadWhole(const Word& word, const std::string& name, uint64_t low, uint64_t high);

/// @throws ScenarioError unless the word is a number within bounds; name tells which one.
double ReadNumber(const Word& word, const std::string& name, double low, double high);

/// @return bit/s of "100Gbps", "50Mb/s", or of a bare number of bit/s.
double ReadRate(const Word& word);

/// @return picoseconds of "1us", "0.001ms", or of a bare number of seconds; below 9.2e6 s.
Tick ReadDelay(const Word& word);

} // namespace ns3::aifabric

#endif // AIFABRIC_LINE_READER_H
