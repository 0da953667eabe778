import ParseModel
import Testing

@testable import Simulation

@Suite("Filters of the simulated tables server")
struct TableFilterTests {
    private static let row = TableRows.Row(
        pointer: Pointer(className: "Note", objectId: "m"), columns: ["title": "it's", "n": 3, "gone": false],
        unknown: .null, createdAt: ParseDate(milliseconds: 0), changedUs: 1000, version: "MQ==", changes: 1,
        isDeleted: false)

    private static func matches(_ text: String, _ dialect: TablesSettings.Dialect = .azure) throws -> Bool {
        try TableFilter(text, dialect).matches(row)
    }

    @Test(arguments: [
        "n eq 3", "n ge 3", "title eq 'it''s'", "b eq null", "n ne null", "deleted eq false", "gone ne true", "true",
        "(n lt 3 or (n eq 3 and id gt 'a'))", "updatedAt ge datetimeoffset'1970-01-01T00:00:00.001Z'",
        "((n eq 1 or n eq 2) or deleted eq false)",
    ])
    func matching(_ text: String) throws { #expect(try Self.matches(text)) }

    @Test(arguments: [
        "n eq 4", "b eq 'x'", "b ne 'x'", "b gt 'a'", "title eq null", "false", "id gt 'm'",
        "updatedAt gt datetimeoffset'1970-01-01T00:00:00.001Z'",
    ])
    func notMatching(_ text: String) throws { #expect(try !Self.matches(text)) }

    @Test func datesHaveTheFormOfTheDialect() throws {
        #expect(try Self.matches("updatedAt lt cast(1970-01-01T00:00:00.002Z,Edm.DateTimeOffset)", .community))
        #expect(throws: UnknownForm.self) {
            try Self.matches("updatedAt lt datetimeoffset'1970-01-01T00:00:00.002Z'", .community)
        }
    }

    @Test(arguments: [
        "n eq 3 and n eq 3", "startswith(title,'i')", "null eq b", "b gt null", "m eq 3", "n eq", "(n eq 3", "n EQ 3",
        "title eq 'it's'", "version eq 'MQ=='", "(n eq 3 and n eq 3 or n eq 4)", "n eq 3 ",
    ])
    func otherFormsAreRefused(_ text: String) { #expect(throws: UnknownForm.self) { try Self.matches(text) } }
}
