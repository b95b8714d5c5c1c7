// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JSON_VALUE_H
#define AIFABRIC_JSON_VALUE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class ScenarioError;

/**
 * @defgroup ai-fabric-scenario Scenario files
 * @ingroup ai-fabric
 */

/**
 * @ingroup ai-fabric-scenario
 * A value inside a JSON document that knows its file and path, so that whoever dislikes it can say
 * where it stands: `json["jobs"][0].Fail("found ...")`.
 *
 * A cheap handle (the document is shared and constant). Objects keep the order of their keys.
 * Everything throws ScenarioError with file and path.
 */
class JsonValue
{
  public:
    /// null, as if absent.
    JsonValue();

    /**
     * Reads a JSON text. Syntax errors are reported by line and column; a key given twice, nesting
     * beyond kMaxDepth and objects beyond kMaxKeys are errors.
     * @param text UTF-8, a byte order mark is allowed.
     * @param file name for messages, may be empty.
     */
    static JsonValue Parse(const std::string& text, const std::string& file = "");
    /// Parses the whole file of that path.
    static JsonValue ReadFile(const std::string& path);
    /// @return an empty object.
    static JsonValue Object();
    /// @return an empty array.
    static JsonValue Array();
    static JsonValue Of(bool value);
    static JsonValue Of(int64_t value);
    static JsonValue Of(uint64_t value);
    /// An integral value below 2^53 is written without a fraction; NaN and infinity become null.
    static JsonValue Of(double value);
    static JsonValue Of(const std::string& value);
    static JsonValue Of(const char* value);

    static constexpr int kMaxDepth = 64;
    static constexpr std::size_t kMaxKeys = 4096;

    bool IsNull() const;
    bool IsObject() const;
    bool IsArray() const;
    bool IsString() const;
    bool IsNumber() const;
    bool IsBool() const;

    /// @return the keys of an object, in order; nothing for anything else.
    std::vector<std::string> Keys() const;
    bool Has(const std::string& key) const;
    /// @return the member, or a null with the path that it would have.
    JsonValue operator[](const std::string& key) const;
    JsonValue operator[](const char* key) const;
    /// @return number of elements of an array or of keys of an object, else 0.
    std::size_t Size() const;
    /// @return element i < Size() of an array.
    JsonValue At(std::size_t i) const;

    /// @name What it must be. Anything else fails: "found the string 'x', expected a number".
    /// @{
    const JsonValue& ExpectObject() const;
    const JsonValue& ExpectArray() const;
    bool AsBool() const;
    const std::string& AsString() const;
    double AsNumber() const;
    /// Integers also as 1e6.
    int64_t AsInteger() const;
    uint64_t AsUnsigned() const;
    /// @}

    /// Fails on any key of this object that is not in valid, with the nearest that is.
    void ExpectKeys(const std::vector<std::string>& valid) const;

    /// Fails on a null here or anywhere within.
    void ExpectNoNull() const;

    /// @return JSON text, on one line unless indent >= 0.
    std::string ToText(int indent = -1) const;
    /// @return what was found, for a message: "the string 'x'", "the number 3", "an array".
    std::string Describe() const;
    const std::string& GetPath() const;
    /// @return the file that it was read from; empty where it was none.
    std::string GetFile() const;
    [[noreturn]] void Fail(const std::string& message) const;
    /// Throws an error that was found inside this value, with where it stands put in front.
    [[noreturn]] void Fail(const ScenarioError& inside) const;

    /// Sets a member of this object (null becomes an object). Other handles keep what they had.
    void Set(const std::string& key, const JsonValue& value);
    /// Adds an element to this array (null becomes an array).
    void Append(const JsonValue& value);

    /**
     * @param keyPath "jobs.0.batch.micro_batch_size": keys and indices of arrays. Missing objects
     *        are made, an index may name at most the end of its array.
     * @param value JSON if it parses, else a string.
     * @return this document with that value replaced as a whole.
     */
    JsonValue With(const std::string& keyPath, const std::string& value) const;
    JsonValue With(const std::string& keyPath, const JsonValue& value) const;

    /// @return this over defaults: objects are merged key by key, anything else of this one stays.
    JsonValue Over(const JsonValue& defaults) const;

  private:
    JsonValue(std::shared_ptr<const void> node,
              const std::string& path,
              std::shared_ptr<const std::string> file);

    std::shared_ptr<const void> m_node;        ///< of nlohmann/json, which stays out of headers
    std::string m_path;                        ///< "jobs[0].batch"
    std::shared_ptr<const std::string> m_file; ///< null when there is none
};

} // namespace ns3::aifabric

#endif // AIFABRIC_JSON_VALUE_H
