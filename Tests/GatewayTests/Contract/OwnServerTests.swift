import ParseModel
import ParseRemote
import RemoteService
import TablesServer
import Testing

@Suite("The server of TIDEGATE_CONTRACT_REMOTE")
struct OwnServerTests {
    private func configuration(_ text: String) throws -> ParseRemote.Configuration? {
        if case .parse(let configuration) = try OwnServer(text).kind { configuration } else { nil }
    }

    @Test func addressAndKeysOfTheContractTestServerAreRead() throws {
        let read = try #require(try configuration("https://example.org/parse appId=app restKey=a=b masterKey=c"))
        #expect(read.serverURL == "https://example.org/parse")
        #expect(read.applicationId == "app")
        #expect(read.restKey == "a=b")
        #expect(read.masterKey == "c")
    }

    @Test func keysOfTheContractTestServerMayBeOmitted() throws {
        let read = try #require(try configuration("http://localhost:1337/parse appId=app"))
        #expect(read.restKey == nil)
        #expect(read.masterKey == nil)
    }

    /// On a table server, all contract tests share three tables.
    @Test func contractTestServerMayBeATableServer() async throws {
        let tables = ["Days", "DaysMember", "DaysClock"].map { TablesServer.Table($0) }
        let server = try TablesServer(.azure, tables: tables, now: { 1_000_000 })
        let subject = try OwnServer("\(server.url) tables=Days").subject("TidegateContract_any")
        let record = try await subject.create(["n": 1])
        _ = try await subject.create(["n": 2], in: subject.memberClass)
        #expect(server.live("Days")[record.objectId] == ["n": 1])
        #expect(server.live("DaysMember").count == 1)
        try await subject.empty()
        #expect(server.live("Days").isEmpty && server.live("DaysMember").isEmpty)
    }

    @Test(arguments: [
        "", "appId=app", "http://localhost", "http://localhost appId", "http://localhost appId=a key=b",
        "http://localhost appId=a tables=b",
    ])
    func invalidDescriptionOfTheContractTestServerIsRefused(text: String) {
        #expect(throws: OwnServer.Malformed.self) { try OwnServer(text) }
    }
}
