// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/attribute-reader.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-compat.h"
#include "ns3/fabric-time.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// A family with two members.
class ReaderTestFamily : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::ReaderTestFamily").SetParent<Object>();
        return tid;
    }
};

class ReaderTestOne : public ReaderTestFamily
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::ReaderTestOne")
                                .SetParent<ReaderTestFamily>()
                                .AddConstructor<ReaderTestOne>()
                                .AddAttribute("Gain",
                                              "",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&ReaderTestOne::gain),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    double gain;
};

class ReaderTestTwo : public ReaderTestFamily
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::ReaderTestTwo")
                                .SetParent<ReaderTestFamily>()
                                .AddConstructor<ReaderTestTwo>();
        return tid;
    }
};

enum Kind
{
    kPlain,
    kFancyOne,
    kNumbered
};

class ReaderTestObject : public Object
{
  public:
    static TypeId GetTypeId()
    {
        using S = ReaderTestObject;
        static TypeId tid =
            TypeId("ns3::aifabric::ReaderTestObject")
                .SetParent<Object>()
                .AddConstructor<S>()
                .AddAttribute("Delay",
                              "",
                              TimeValue(NanoSeconds(100)),
                              MakeTimeAccessor(&S::delay),
                              MakeTimeChecker(Time(0), Seconds(2)))
                .AddAttribute("Rate",
                              "",
                              DataRateValue(DataRate("1Gbps")),
                              MakeDataRateAccessor(&S::rate),
                              MakeDataRateChecker())
                .AddAttribute("MinRate",
                              "",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&S::minRate),
                              MakeDataRateChecker())
                .AddAttribute("Enabled",
                              "",
                              BooleanValue(false),
                              MakeBooleanAccessor(&S::enabled),
                              MakeBooleanChecker())
                .AddAttribute("Count",
                              "",
                              UintegerValue(3),
                              MakeUintegerAccessor(&S::count),
                              MakeUintegerChecker<uint32_t>(1, 10))
                .AddAttribute("SizeBytes",
                              "",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::size),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Offset",
                              "",
                              IntegerValue(0),
                              MakeIntegerAccessor(&S::offset),
                              MakeIntegerChecker<int32_t>(-5))
                .AddAttribute(
                    "Kind",
                    "",
                    EnumValue(kPlain),
                    compat::EnumAccessor<enum Kind>(&S::kind, 0),
                    MakeEnumChecker(kPlain, "plain", kFancyOne, "FancyOne", kNumbered, "1f1b"))
                .AddAttribute("Label",
                              "",
                              StringValue(""),
                              MakeStringAccessor(&S::SetLabel, &S::GetLabel),
                              MakeStringChecker())
                .AddAttribute("List",
                              "",
                              StringValue("[]"),
                              MakeStringAccessor(&S::list),
                              MakeTextChecker("array|object"))
                .AddAttribute("Limit",
                              "",
                              StringValue("auto"),
                              MakeStringAccessor(&S::limit),
                              MakeTextChecker("auto|number"))
                .AddAttribute("Part",
                              "",
                              PointerValue(),
                              MakePointerAccessor(&S::part),
                              MakePointerChecker<ReaderTestFamily>());
        return tid;
    }

    void SetLabel(std::string label)
    {
        if (label == "bad")
        {
            throw ScenarioError("label", "refused by its setter");
        }
        m_label = label;
    }

    std::string GetLabel() const
    {
        return m_label;
    }

    Time delay;
    DataRate rate;
    DataRate minRate;
    bool enabled;
    uint32_t count;
    uint64_t size;
    int32_t offset;
    enum Kind kind;
    std::string list;
    std::string limit;
    Ptr<ReaderTestFamily> part;

  private:
    std::string m_label;
};

NS_OBJECT_ENSURE_REGISTERED(ReaderTestFamily);
NS_OBJECT_ENSURE_REGISTERED(ReaderTestOne);
NS_OBJECT_ENSURE_REGISTERED(ReaderTestTwo);
NS_OBJECT_ENSURE_REGISTERED(ReaderTestObject);

Ptr<ReaderTestObject>
Read(const std::string& text)
{
    auto object = CreateObject<ReaderTestObject>();
    ApplyAttributes(*object, JsonValue::Parse(text, "a.json"));
    return object;
}

std::string
Refusal(const std::string& text)
{
    return ErrorOf([&] { Read(text); });
}

} // namespace

TEST(AttributeReader, ReadsEveryTypeInItsUnit)
{
    auto o = Read(R"({"delay_us": 1.5, "rate_gbps": 400, "min_rate_mbps": 0, "enabled": true,
        "count": 10, "size_bytes": 1e9, "offset": -5, "kind": "fancy_one", "label": "x"})");
    EXPECT_EQ(ToTick(o->delay), 1500 * kNanosecond);
    EXPECT_EQ(o->rate.GetBitRate(), 400000000000ULL);
    EXPECT_EQ(o->minRate.GetBitRate(), 0U);
    EXPECT_TRUE(o->enabled);
    EXPECT_EQ(o->count, 10U);
    EXPECT_EQ(o->size, 1000000000ULL);
    EXPECT_EQ(o->offset, -5);
    EXPECT_EQ(o->kind, kFancyOne);
    EXPECT_EQ(Read(R"({"delay_s": 2})")->delay, Seconds(2));
    EXPECT_EQ(Read(R"({"delay_ms": 0.000001})")->delay, NanoSeconds(1));
    EXPECT_EQ(Read(R"({"rate_mbps": 0.5})")->rate.GetBitRate(), 500000U);
    EXPECT_EQ(Read(R"({"kind": "1f1b"})")->kind, kNumbered);
    EXPECT_EQ(Read(R"({"kind": "FancyOne"})")->kind, kFancyOne);
    EXPECT_EQ(Read(R"({"size_bytes": 18446744073709551615})")->size, 18446744073709551615ULL);
}

TEST(AttributeReader, TextsTakeTheKindsThatTheyName)
{
    EXPECT_EQ(Read(R"({"list": [1, {"a": "b"}]})")->list, R"([1,{"a":"b"}])");
    EXPECT_EQ(Read(R"({"limit": 12})")->limit, "12");
    EXPECT_EQ(Read(R"({"limit": "auto"})")->limit, "auto");
    EXPECT_EQ(Refusal(R"({"label": 12})"), "a.json: label: found the number 12, expected a string");
    EXPECT_EQ(Refusal(R"({"label": [1]})"), "a.json: label: found an array, expected a string");
    EXPECT_EQ(Refusal(R"({"label": true})"), "a.json: label: found true, expected a string");
    EXPECT_EQ(Refusal(R"({"label": null})"), "a.json: label: found null, expected a string");
    EXPECT_EQ(Refusal(R"({"list": "[1]"})"),
              "a.json: list: found the string '[1]', expected an array or an object");
    EXPECT_EQ(Refusal(R"({"limit": "12"})"),
              "a.json: limit: found the string '12', expected 'auto' or a number");
    EXPECT_EQ(Refusal(R"({"limit": {}})"),
              "a.json: limit: found an object, expected 'auto' or a number");
}

TEST(AttributeReader, MakesPlugInsOfPointers)
{
    auto o = Read(R"({"part": {"type": "reader_test_one", "gain": 0.25}})");
    EXPECT_DOUBLE_EQ(DynamicCast<ReaderTestOne>(o->part)->gain, 0.25);
    EXPECT_TRUE(DynamicCast<ReaderTestTwo>(Read(R"({"part": "reader_test_two"})")->part));
    EXPECT_EQ(Refusal(R"({"part": {"type": "reader_test_one", "gain": 2}})"),
              "a.json: part.gain: found the number 2, expected a number from 0 to 1");
    EXPECT_EQ(Refusal(R"({"part": "reader_test_tow"})"),
              "a.json: part: unknown reader_test_family 'reader_test_tow', did you mean "
              "'reader_test_two'?");
    EXPECT_EQ(Refusal(R"({"part": {"gain": 1}})"),
              "a.json: part: found an object, expected 'type': one of reader_test_one, "
              "reader_test_two");
}

TEST(AttributeReader, SaysWhatWasFoundAndExpected)
{
    EXPECT_EQ(Refusal(R"({"count": 11})"),
              "a.json: count: found the number 11, expected an integer from 1 to 10");
    EXPECT_EQ(Refusal(R"({"count": "3"})"),
              "a.json: count: found the string '3', expected an integer from 0");
    EXPECT_EQ(Refusal(R"({"count": 2.5})"),
              "a.json: count: found the number 2.5, expected an integer");
    EXPECT_EQ(Refusal(R"({"offset": -6})"),
              "a.json: offset: found the number -6, expected an integer from -5 to 2147483647");
    EXPECT_EQ(Refusal(R"({"delay_us": -1})"),
              "a.json: delay_us: found the number -1, expected a time from 0 to 2000000");
    EXPECT_EQ(Refusal(R"({"delay_s": 3})"),
              "a.json: delay_s: found the number 3, expected a time from 0 to 2");
    EXPECT_EQ(Refusal(R"({"rate_gbps": 0})"),
              "a.json: rate_gbps: found the number 0, expected a rate above 0 to 1000000000");
    EXPECT_EQ(Refusal(R"({"min_rate_gbps": -1})"),
              "a.json: min_rate_gbps: found the number -1, expected a rate from 0 to 1000000000");
    EXPECT_EQ(Refusal(R"({"enabled": 1})"),
              "a.json: enabled: found the number 1, expected true or false");
    EXPECT_EQ(Refusal(R"({"kind": "fanzy_one"})"),
              "a.json: kind: found the string 'fanzy_one', did you mean 'fancy_one'?");
    EXPECT_EQ(Refusal(R"({"kind": null})"),
              "a.json: kind: found null, expected one of plain, fancy_one, 1f1b");
    EXPECT_EQ(Refusal(R"({"label": "bad"})"), "a.json: label: refused by its setter");
    EXPECT_EQ(Refusal("[]"), "a.json: found an array, expected an object");
}

TEST(AttributeReader, SuggestsKeysAndUnits)
{
    EXPECT_EQ(Refusal(R"({"cuont": 1})"), "a.json: cuont: unknown key, did you mean 'count'?");
    EXPECT_EQ(Refusal(R"({"delay": 1})"),
              "a.json: delay: unknown key, expected delay_ns, delay_us, delay_ms or delay_s");
    EXPECT_EQ(Refusal(R"({"rate_kbps": 1})"),
              "a.json: rate_kbps: unknown key, expected rate_gbps or rate_mbps");
    EXPECT_EQ(Refusal(R"({"delay_ns": 1, "delay_us": 1})"),
              "a.json: delay_us: given as 'delay_ns' too, expected one of the two");
    EXPECT_EQ(Refusal(R"({"quite_something_else": 1})"),
              "a.json: quite_something_else: unknown key, expected one of delay_ns, rate_gbps, "
              "min_rate_gbps, enabled, count, size_bytes, offset, kind, label, list, limit, part");
}

TEST(AttributeReader, ResolvedObjectsReadTheSame)
{
    const char* texts[] = {
        R"({"delay_us": 1.5, "rate_gbps": 0.0005, "list": [1, 2], "kind": "1f1b"})",
        R"({"delay_ns": 0.001, "label": "1e5", "part": {"type": "reader_test_one", "gain": 1}})",
        R"({"delay_s": 2, "label": "true", "limit": 7, "offset": -3, "size_bytes": 18446744073709551615})",
        R"({"label": "{not json", "enabled": true})"};
    for (const char* text : texts)
    {
        JsonValue once = ResolveAttributes(*Read(text));
        EXPECT_EQ(ResolveAttributes(*Read(once.ToText())).ToText(), once.ToText());
    }
    EXPECT_EQ(ResolveAttributes(*Read(texts[0])).ToText(),
              R"({"delay_ns":1500,"rate_gbps":0.0005,"min_rate_gbps":0,"enabled":false,"count":3,)"
              R"("size_bytes":0,"offset":0,"kind":"1f1b","label":"","list":[1,2],"limit":"auto"})");
}
