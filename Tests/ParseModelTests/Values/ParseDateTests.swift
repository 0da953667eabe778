import ParseModel
import Testing

@Suite struct ParseDateTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("2012-12-25T00:00:00.000Z", 1_356_393_600_000),
            ("2000-02-29T12:34:56.789Z", 951_827_696_789), ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("1600-02-29T00:00:00.000Z", -11_670_998_400_000), ("2038-01-19T03:14:08.000Z", 2_147_483_648_000),
        ] as [(String, Int64)])
    func isoTextsAndMillisecondsOfADateAgree(iso: String, milliseconds: Int64) {
        #expect(ParseDate(iso: iso)?.milliseconds == milliseconds)
        #expect(ParseDate(milliseconds: milliseconds).iso == iso)
    }

    @Test func datesOfTenThousandYearsReadBackUnchanged() throws {
        let first = try #require(ParseDate(iso: "0000-01-01T00:00:00.000Z"))
        var random = SeededRandom(seed: 1)
        var wrong: [String] = []
        var before = ""
        for day in 0..<3_652_425 as Range<Int64> where day % 37 == 0 || day > 3_652_000 {
            let inDay = Int64.random(in: 0..<86_400_000, using: &random)
            let date = ParseDate(milliseconds: first.milliseconds + day * 86_400_000 + inDay)
            let iso = date.iso
            if ParseDate(iso: iso) != date || iso <= before { wrong.append(iso) }
            before = iso
        }
        #expect(wrong.isEmpty)
        #expect(before.hasPrefix("9999-12-31"))
    }

    @Test(arguments: [
        "2012-12-25", "2012-12-25T00:00", "2012-12-25 00:00", "2012-12-25T00:00:00", "2012-12-25T00:00:00Z",
        "2012-12-25T00:00Z", "2012-12-25T00:00:00.0Z", "2012-12-25T00:00:00.000999Z", "2012-12-25T02:00:00+02:00",
        "2012-12-25T02:00:00.000+0200", "2012-12-25T02:00+02", "2012-12-24T18:30:00-05:30", "2012-12-25T00:00:00-00:00",
        "2012-12-24T00:01:00-23:59",
    ])
    func alternativeNotationsOfADateAreEqual(iso: String) {
        #expect(ParseDate(iso: iso)?.iso == "2012-12-25T00:00:00.000Z")
    }

    @Test(arguments: [("0.1", 100), ("0.12", 120), ("0.123", 123), ("0.1239", 123), ("0.000000001", 0)])
    func fractionsOfASecondAreTruncatedToMilliseconds(second: String, milliseconds: Int64) {
        #expect(ParseDate(iso: "1970-01-01T00:00:0\(second)Z")?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "x", "2012", "2012-12", "2012-1-1", "12-12-25", "2012-00-10", "2012-13-10", "2012-04-31", "2012-12-00",
        "2012-12-32", "2011-02-29", "1900-02-29", "2100-02-29", "2012-12-25T", "2012-12-25T10", "2012-12-25T1:00",
        "2012-12-25T24:00", "2012-12-25T10:60", "2012-12-25T10:00:60", "2012-12-25T10:00:00.", "2012-12-25T10:00:00.Z",
        "2012-12-25T10:00:00,5Z", "2012-12-25T10:00:00Zx", "2012-12-25T10:00:00+", "2012-12-25T10:00:00+2",
        "2012-12-25T10:00:00+24:00", "2012-12-25T10:00:00+02:60", "2012-12-25T10:00:00+02:",
        "2012-12-25T10:00:00Z+02:00",
        "2012-12-25Z", " 2012-12-25", "2012-12-25 ", "2012/12/25", "20121225", "-2012-12-25", "+012012-12-25",
        "2012-12-25T10:00:00\u{0}", "２０１２-12-25", "tomorrow", "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
    ])
    func invalidDateTextsAreNotRead(iso: String) {
        #expect(ParseDate(iso: iso) == nil)
    }

    @Test func yearsOutsideFourDigitsAreWrittenAsInJavaScript() {
        #expect(ParseDate(milliseconds: 253_402_300_800_000).iso == "+010000-01-01T00:00:00.000Z")
        #expect(ParseDate(milliseconds: -62_167_219_200_001).iso == "-000001-12-31T23:59:59.999Z")
        #expect(ParseDate(milliseconds: .min).iso.hasSuffix("Z"))
        #expect(ParseDate(milliseconds: .max).iso.hasSuffix("Z"))
    }

    @Test func aDurationCanBeAddedToADate() {
        let date = ParseDate(milliseconds: 1000)
        #expect((date + .milliseconds(1500)).milliseconds == 2500)
        #expect((date - .milliseconds(1500)).milliseconds == -500)
        #expect((date + .microseconds(1999)).milliseconds == 1001)
        #expect(date < date + .milliseconds(1))
    }

    @Test func dateValuesInJSONAreReadAndWritten() {
        let json: JSONValue = ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"]
        #expect(ParseDate(json)?.json == json)
        #expect(ParseDate(["__type": "Date", "iso": "tomorrow"] as JSONValue) == nil)
        #expect(ParseDate("2012-12-25T00:00:00.000Z" as JSONValue) == nil)
    }
}
