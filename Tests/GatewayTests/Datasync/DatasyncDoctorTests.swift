import LocalStore
import RemoteService
import TablesServer
import Testing

@testable import Gateway

/// Tests the command `tidegate doctor` with a table server.
@Suite struct DatasyncDoctorTests {
    private func server(
        _ variant: TablesVariant, answersSwagger: Bool = false, edit: (inout TablesServer.Table) -> Void = { _ in }
    ) throws -> TablesServer {
        let columns: [TablesServer.Column] = [.init("name", .text), .init("date", .date), .init("ACL", .text)]
        var table = TablesServer.Table("Holiday", columns: columns, dialect: variant.dialect)
        table.keepsTombstones = variant.keepsTombstones
        edit(&table)
        return try TablesServer(variant.dialect, tables: [table], answersSwagger: answersSwagger, now: { 1_000_000 })
    }

    private func diagnose(
        _ url: String, _ classes: [String], kind: RemoteKind? = .datasync
    ) async throws -> [RemoteFinding] {
        var configuration = GatewayConfiguration(dataDirectory: try TemporaryDirectory().path)
        configuration.remote = GatewayConfiguration.Remote(kind: kind, url: url)
        configuration.classes = classes
        let findings = try #require(try await Doctor.diagnose(configuration, stores: LocalStoreKind()))
        return findings.filter { $0.name != "relations" && $0.name != "calls" }
    }

    @Test(arguments: TablesVariant.allCases) func doctorDescribesAWorkingTable(_ variant: TablesVariant) async throws {
        let server = try server(variant)
        server.put("Holiday", "easter", ["name": "Easter"])
        server.put("Holiday", "may", ["name": "May Day"])
        server.delete("Holiday", "may")
        let before = server.live("Holiday")
        let findings = try await diagnose(server.url, ["Holiday"], kind: nil)
        #expect(findings.map(\.name) == ["kind", "dialect", "table", "columns", "tombstones", "writes"])
        #expect(findings[0].text == "The kind of the remote is datasync.")
        let product = variant.dialect == .azure ? "Azure Mobile Apps" : "Community Datasync"
        #expect(findings[1].text == "The remote keeps tables of \(product).")
        #expect(findings[2].text == "Holiday: the table /tables/Holiday can be read. Columns: name, date.")
        #expect(findings[3].text.hasSuffix("so they stay untouched: ACL."))
        #expect(
            findings[4].text.contains(variant.keepsTombstones ? "keeps tombstones" : "no tombstone of a deleted row"))
        #expect(
            findings[5].text
                == (variant.dialect == .azure
                    ? "Holiday: the table accepts updates and deletions."
                    : "Holiday: the table does not switch off updates and deletions. Permissions of rows are not checked.")
        )
        #expect(server.live("Holiday") == before)
    }

    @Test func doctorShowsTheTypesThatTheServerDescribes() async throws {
        let server = try server(.azure, answersSwagger: true)
        let findings = try await diagnose(server.url, ["Holiday"])
        #expect(
            findings[1].text == "Holiday: the table /tables/Holiday can be read. Columns: date (date), name (text).")
    }

    @Test func doctorReportsAReadOnlyTable() async throws {
        let server = try server(.azure) { $0.isReadOnly = true }
        server.put("Holiday", "easter", ["name": "Easter"])
        let finding = try #require(try await diagnose(server.url, ["Holiday"]).last)
        #expect(finding.state == .noted)
        #expect(finding.text == "Holiday: the table refuses an update: Method update is not allowed")
    }

    @Test func doctorReportsAMissingTableAsAFailure() async throws {
        let server = try server(.azure)
        let findings = try await diagnose(server.url, ["Boat", "Holiday"])
        #expect(findings[0].state == .failed && findings[0].name == "table")
        #expect(findings[0].text.hasPrefix("Boat: the table /tables/Boat cannot be read: "))
        #expect(findings.contains { $0.name == "writes" && $0.state == .ok })
    }

    @Test func doctorReportsATableWithNumberedRowsAsAFailure() async throws {
        let server = try server(.azure, answersSwagger: true) { $0.numbersIds = true }
        let findings = try await diagnose(server.url, ["Holiday"])
        #expect(findings.contains { $0.state == .failed && $0.text.contains("numbers its own rows") })
    }

    @Test func doctorStopsAtAnUnreachableTableServerOrAMissingToken() async throws {
        let closed = try server(.azure) { $0.needsToken = true }
        let refused = try await diagnose(closed.url, ["Holiday", "Boat"])
        #expect(refused.map(\.name) == ["keys", "table"])
        closed.close()
        let unreachable = try await diagnose(closed.url, ["Holiday", "Boat"])
        #expect(unreachable.map(\.name) == ["health"] && unreachable.allSatisfy { $0.state == .failed })
        #expect(try await diagnose(closed.url, []).map(\.state) == [.failed])
    }
}
