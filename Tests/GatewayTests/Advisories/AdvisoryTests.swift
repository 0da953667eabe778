import Foundation
import Testing

/// Checks that the gateway has none of the vulnerabilities of Parse Server's advisories, in each mode that they can
/// concern.
@Suite("Advisories of Parse Server")
struct AdvisoryTests {
    /// The topics whose advisories have probes.
    private static let topics = AdvisoryTopic.allCases.filter { $0 != .absent }

    @Test(arguments: topics, AdvisoryMode.allCases)
    func vulnerabilityOfEachParseServerAdvisoryIsAbsent(_ topic: AdvisoryTopic, _ mode: AdvisoryMode) async throws {
        let world = try await AdvisoryWorld(mode)
        for advisory in topic.advisories {
            for probe in advisory.probes(in: mode) { try await world.run(probe, of: advisory) }
        }
    }

    @Test func eachPublishedParseServerAdvisoryIsListedOnce() {
        let ids = AdvisoryTopic.allAdvisories.map(\.id)
        #expect(Set(ids).count == ids.count, "an id is in two tables")
        #expect(Advisory.publishedIds.count == 119)
        #expect(Advisory.publishedIds.subtracting(ids) == [])
    }

    @Test func eachParseServerAdvisoryIsTestedOrExemptInEachMode() {
        for advisory in AdvisoryTopic.allAdvisories {
            guard case .probed(_, let exemptions) = advisory.standing else { continue }
            for mode in AdvisoryMode.allCases {
                let isProbed = !advisory.probes(in: mode).isEmpty
                #expect(isProbed != (exemptions[mode] != nil), "\(advisory.id) in \(mode)")
            }
            #expect(!advisory.probes(in: .standalone).isEmpty, "\(advisory.id)")
        }
    }

    @Test func securityDocsStateTheNumberOfAdvisories() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/security.md"), encoding: .utf8)
        let all = AdvisoryTopic.allAdvisories
        func tested(_ mode: AdvisoryMode) -> Int { all.count { !$0.probes(in: mode).isEmpty } }
        var lines = [
            "| All | \(all.count) |", "| Tested standalone | \(tested(.standalone)) |",
            "| Tested in a replica without users | \(tested(.off)) |",
            "| Tested in a personal replica | \(tested(.personal)) |", "| Tested in a site | \(tested(.site)) |",
        ]
        for absence in Advisory.Absence.allCases {
            lines.append("| Cannot apply: \(absence.rawValue) | \(all.count { $0.absence == absence }) |")
        }
        for line in lines { #expect(page.contains(line), "\(line)") }
    }
}
