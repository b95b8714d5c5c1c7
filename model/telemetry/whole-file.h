// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_WHOLE_FILE_H
#define AIFABRIC_WHOLE_FILE_H

#include <string>
#include <string_view>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-telemetry
 * A file that appears whole or not at all: it is written beside its place under a name that begins
 * with a dot, and takes its place, also of an older file, in Commit(). Until then the signals that
 * end a process wait. What is there and no regular file (/dev/stdout) is written to as it is.
 *
 * All errors are ScenarioErrors in that file: where results go is something that a user gave.
 */
class WholeFile
{
  public:
    /// @throws ScenarioError where no file can be made.
    explicit WholeFile(const std::string& path);
    /// Leaves nothing behind unless Commit() succeeded.
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /// Adds to the file, through a buffer. @throws ScenarioError as soon as writing fails.
    void Append(std::string_view text);

    /// For writers that format in place: append to it, then call Drain() now and then.
    std::string& Pending()
    {
        return m_pending;
    }

    /// Writes out what is pending where it is worth a call.
    void Drain()
    {
        if (m_pending.size() >= kWorthWriting)
        {
            Flush();
        }
    }

    /// Puts the file in its place. @throws ScenarioError where that fails; the old file then stays.
    void Commit();

    /// Writes a file of that text.
    static void Write(const std::string& path, std::string_view text);

  private:
    static constexpr std::size_t kWorthWriting = 1 << 16;

    void Flush();
    /// Nothing is aside any more.
    void Settle();
    [[noreturn]] void Fail(int error) const;

    std::string m_path;
    std::string m_asidePath;
    std::string m_pending;
    int m_file{-1};
};

/**
 * @ingroup ai-fabric-telemetry
 * Makes a folder for results, with those above it, and tries to write there, so that a mistake shows
 * before a long run and not after it.
 * @throws ScenarioError that says what is in the way.
 */
void MakeOutputFolder(const std::string& folder);

} // namespace ns3::aifabric

#endif // AIFABRIC_WHOLE_FILE_H
