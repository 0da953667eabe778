import ParseModel
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sat, 21 Nov 2026 01:29:11 GMT", "2026-11-21T01:29:11.000Z"),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59.000Z"),
        ("Sat, 31 Dec 2016 23:59:60 GMT", "2016-12-31T23:59:59.000Z"),
        ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00.000Z"),
    ])
    func anHTTPDateIsRead(text: String, iso: String) { #expect(ParseDate(httpDate: text)?.iso == iso) }

    @Test(arguments: [
        "Sat, 21 Nov 2026 01:29:11 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2024 23:59:59 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT",
    ])
    func anHTTPDateIsWrittenInTheFormInWhichItIsRead(text: String) throws {
        #expect(try #require(ParseDate(httpDate: text)).httpDate == text)
    }

    @Test(arguments: [
        "", "Sat", "Sat, 21 Nov 2026 01:29:11", "Sat, 21 Nov 2026 01:29:11 UTC", "Sat, 21 Nov 2026 01:29:11 +0000",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sat, 1 Nov 2026 01:29:11 GMT",
        "Sat, 31 Nov 2026 01:29:11 GMT", "Sat, 21 Nob 2026 01:29:11 GMT", "Sat, 21 Nov 2026 24:29:11 GMT",
        "Sat, 21 Nov 2026 01:29:61 GMT", "Sat, 21 Nov 26 01:29:11 GMT", "Sat, 21 Nov 2026 1:29:11 GMT",
        "2026-11-21T01:29:11Z", "Thu, 29 Feb 2023 23:59:59 GMT", "Sat, 21 Nov 2026 01:29:11 GMT ",
        "Sat, 21 Nov 2026 01:29:11 GMT, Sat, 21 Nov 2026 01:29:11 GMT",
    ])
    func invalidHTTPDatesAreNotRead(text: String) { #expect(ParseDate(httpDate: text) == nil) }
}
