import ParseModel
import Testing

/// `PUT /import/files/{fileName}`.
@Suite struct FileContentTransferTests {
    private let client: AccountClient
    private let name = "4e0a1ad5a4d94ba5b4a48f5c2e0d6c2b_note.txt"

    init() throws { client = try AccountClient() }

    private func put(
        _ name: String, _ content: String, _ key: AccountClient.TransferKey = .master
    ) async throws -> (status: Int, text: String) {
        try await client.transfer(.put, "/import/files/" + name, content, key)
    }

    @Test(arguments: ["4e0a1ad5a4d94ba5b4a48f5c2e0d6c2b_note.txt", "archive/2030/note.txt", "tfss-123-note.txt"])
    func anImportedContentHasItsNameAndARepetitionChangesNothing(name: String) async throws {
        #expect(try await put(name, "hello").text == #"{"name":"\#(name)","made":true}"#)
        #expect(try await put(name, "hello").text == #"{"name":"\#(name)","made":false}"#)
        let file: JSONObject = ["__type": "File", "name": .string(name)]
        _ = try await client.send("POST", "/classes/Note", ["file": .object(file)], master: true)
        let url = try #require(
            try await client.send("GET", "/classes/Note", master: true).results[0]["file"]?.object?["url"]?.string)
        let path = try #require(url.range(of: "/files/")).lowerBound
        #expect(try await client.transfer(.get, String(url[path...]), "", .none).text == "hello")
    }

    @Test func aNameOfAnotherContentIsRefused() async throws {
        #expect(try await put(name, "hello").status == 200)
        let refused = try await put(name, "other")
        #expect(refused.status == 400 && refused.text.contains("another file"), "\(refused.text)")
        #expect(try await put("..%2Fnote.txt", "x").status == 400)
        #expect(try await put("metadata/note.txt", "x").status == 400)
        #expect(try await put(name + "2", "").status == 400)
    }

    @Test func aFileWhoseNameDoesNotShowItsTypeGetsTheTypeOfTheImport() async throws {
        func put(_ name: String, _ type: String?) async throws -> (status: Int, text: String) {
            try await client.transfer(.put, "/import/files/" + name, "hello", .master, contentType: type)
        }
        let photo = "4e0a1ad5a4d94ba5b4a48f5c2e0d6c2b_photo"
        #expect(try await put(photo, "image/png").text.contains("true"))
        #expect(try await put(photo, "image/png").text.contains("false"))
        // As in an export of an earlier version.
        #expect(try await put(photo, "application/octet-stream").text.contains("false"))
        let refused = try await put(photo, "image/gif")
        #expect(refused.status == 400 && refused.text.contains("with the content type image/png"), "\(refused.text)")
        #expect(try await put(name, "image/png").text.contains("true"))
        #expect(try await put(name, "image/gif").text.contains("false"))
        for (name, type) in [(photo, "image/png"), (name, "text/plain; charset=utf-8")] {
            let response = try await client.send("GET", "/files/app/" + name)
            #expect(response.headers[.contentType] == type)
        }
    }

    @Test func onlyTheMasterKeyImportsContents() async throws {
        let token = try #require(try await client.send("POST", "/users", ["username": "ada", "password": "x"]).token)
        for key in [AccountClient.TransferKey.none, .session(token), .maintenance] {
            let answer = try await put(name, "hello", key)
            #expect(answer.status == 403, "\(key): \(answer)")
        }
        let readOnly = try await put(name, "hello", .readOnlyMaster)
        #expect(readOnly.status == 400 && readOnly.text.contains("read-only"), "\(readOnly)")
        #expect(try await put(name, "hello").text.contains("true"))
    }
}
