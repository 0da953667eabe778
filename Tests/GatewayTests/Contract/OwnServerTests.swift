import Testing

@Suite("The server of TIDEGATE_CONTRACT_REMOTE")
struct OwnServerTests {
    @Test func addressAndKeysAreRead() throws {
        let server = try OwnServer("https://example.org/parse appId=app restKey=a=b masterKey=c")
        #expect(server.configuration.serverURL == "https://example.org/parse")
        #expect(server.configuration.applicationId == "app")
        #expect(server.configuration.restKey == "a=b")
        #expect(server.configuration.masterKey == "c")
    }

    @Test func keysMayBeLeftOut() throws {
        let server = try OwnServer("http://localhost:1337/parse appId=app")
        #expect(server.configuration.restKey == nil)
        #expect(server.configuration.masterKey == nil)
    }

    @Test(arguments: ["", "appId=app", "http://localhost", "http://localhost appId", "http://localhost appId=a key=b"])
    func unreadableInputIsRefused(text: String) {
        #expect(throws: OwnServer.Malformed.self) { try OwnServer(text) }
    }
}
