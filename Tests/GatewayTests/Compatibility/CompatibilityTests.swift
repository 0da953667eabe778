import Foundation
import Testing

@testable import Gateway

/// Tests each row of the table "Versions of Parse Server" in `docs/parse-compatibility.md`.
struct CompatibilityTests {
    @Test(arguments: CompatibilityRow.all) func answersOfEachCompatibilityVersionMatchTheTable(
        _ row: CompatibilityRow
    ) async throws {
        for version in Compatibility.allCases {
            let answer = try await row.story(try CompatibilityGateway(version))
            #expect(answer == row.answer(of: version), "\(row.id), --compatibility \(version.rawValue)")
        }
    }

    @Test func documentedVersionTableHasTheTestedRows() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/parse-compatibility.md")
        let ids = try String(contentsOf: page, encoding: .utf8).matches(of: /(?m)^\| `([a-z0-9-]+)` \|/).map {
            String($0.output.1)
        }
        #expect(ids == CompatibilityRow.all.map(\.id))
        #expect(Set(ids).count == ids.count)
    }

    @Test func eachRowOfTheVersionTableNamesItsSource() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/parse-compatibility.md")
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /(?m)^\| `[a-z0-9-]+` \|.*$/)
        for row in rows {
            let cells = row.output.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            #expect(cells.count == 6 && cells.last?.contains(/read|measured|told|guessed|own/) == true, "\(row.output)")
        }
    }
}
