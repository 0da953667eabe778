import ParseModel
import Testing

@Suite struct JSONNumberTests {
    /// The result of JavaScript's `String(number)`.
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.0e5", "0"), ("1", "1"), ("-1", "-1"), ("1.0", "1"), ("40.0", "40"),
        ("1E3", "1000"), ("1e0", "1"), ("100e-2", "1"), ("0.1", "0.1"), ("-0.10", "-0.1"), ("1.5e300", "1.5e+300"),
        ("123456789.125", "123456789.125"), ("1e20", "100000000000000000000"), ("1e21", "1e+21"),
        ("123456789012345678901", "123456789012345680000"), ("1234567890123456789012", "1.2345678901234568e+21"),
        ("9007199254740991", "9007199254740991"), ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740992"), ("999999999999999999", "1000000000000000000"),
        ("0.000001", "0.000001"), ("0.0000001", "1e-7"), ("1e-7", "1e-7"), ("1.25e-7", "1.25e-7"),
        ("0.00000123", "0.00000123"), ("123e-20", "1.23e-18"), ("5e-324", "5e-324"), ("4.9e-324", "5e-324"),
        ("2e-324", "0"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"), ("0.30000000000000004", "0.30000000000000004"),
        ("4.35", "4.35"), ("1e23", "1e+23"), ("-1e-999", "0"), ("123456.789e3", "123456789"),
    ])
    func canonicalNumberTextMatchesJavaScript(text: String, canonical: String) throws {
        let number = try #require(try JSONReader.read(text).number)
        #expect(number.canonical.text == canonical)
        #expect(number.canonical == number)
        #expect(number.canonical.canonical.text == canonical)
    }

    @Test func numbersBeyondTheRangeOfADoubleStayUnchanged() throws {
        let number = try #require(try JSONReader.read("1e999").number)
        #expect(!number.isFinite)
        #expect(number.canonical.text == "1e999")
    }

    @Test(arguments: [
        ("0.1", "0.2", "0.30000000000000004"), ("1", "2", "3"), ("1.5", "1.5", "3"), ("-1", "1", "0"),
        ("1e3", "1", "1001"),
        ("9007199254740991", "1", "9007199254740992"), ("9007199254740992", "1", "9007199254740992"),
        ("9223372036854775807", "1", "9223372036854776000"), ("1e308", "7e307", "1.7e+308"),
    ])
    func sumsOfNumbersMatchJavaScript(a: String, b: String, sum: String) throws {
        let a = try #require(try JSONReader.read(a).number)
        let b = try #require(try JSONReader.read(b).number)
        #expect(a.adding(b)?.text == sum)
        #expect(b.adding(a)?.text == sum)
    }

    @Test func sumsBeyondTheRangeOfADoubleAreNil() {
        #expect(JSONNumber(1e308).adding(JSONNumber(1e308)) == nil)
    }

    @Test(arguments: [
        ("5", 5), ("-5", -5), ("5.0", 5), ("5e2", 500), ("9223372036854775807", Int.max), ("0.5", nil), ("1e19", nil),
        ("1e999", nil), ("-0.0", 0),
    ])
    func integersAreRecognized(text: String, int: Int?) throws {
        #expect(try JSONReader.read(text).int == int)
    }

    @Test func equalNumbersInDifferentNotationsAreEqual() throws {
        let numbers = try ["1", "1.0", "1e0", "10e-1"].map { try JSONReader.read($0) }
        #expect(Set(numbers).count == 1)
        #expect(JSONValue.number(JSONNumber(1)) != .number(JSONNumber(1.5)))
        #expect((1 as JSONValue) != "1")
        #expect((1 as JSONValue) != true)
    }
}
