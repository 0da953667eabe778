import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import HeaderNames
import LocalStore
import ParseModel
import StoreService
import Testing

@testable import Gateway

/// Tests files of a site replica that are not on the remote yet. The session tokens of the tests are the names of
/// their users.
@Suite("Files of a site replica over the API")
struct SiteFileRequestsTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let client: FileClient

    init() async throws {
        directory = try TemporaryDirectory()
        let remote = StoreIdentity.Remote(url: "http://localhost:1337/parse", applicationId: "app")
        var settings = StoreConfiguration(directory: directory.path, identity: StoreIdentity(remote: remote))
        settings.synchronous = .normal
        settings.rights = .site
        let store = try LocalStore(settings, environment: clock.environment)
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
        let configuration = APIConfiguration(
            mode: .replica, version: "test", keys: ClientKeys(masterKey: "the master key"))
        client = FileClient(
            api: Site.api(
                APIParts(
                    store: store.objects, configuration: configuration, environment: clock.environment, logger: .quiet),
                RemoteWays(control: StillSync(), files: NoFiles()), NamedUsers()))
    }

    private func of(_ user: String) -> HTTPFields { [.parseSessionToken: user] }

    /// - Returns: the file value, with a signed URL.
    private func upload(as user: String) async throws -> JSONValue {
        let answer = try await client.send(.post, "/files/cat.txt", of(user), Array("meow".utf8)).json
        return ["__type": "File", "name": answer["name"] ?? .null, "url": answer["url"] ?? .null]
    }

    private func withoutQuery(_ file: JSONValue) -> JSONValue {
        var object = file.object ?? [:]
        object["url"] = (object["url"]?.string?.split(separator: "?").first).map { .string(String($0)) }
        return .object(object)
    }

    private func status(_ file: JSONValue?, _ headers: HTTPFields = [:]) async -> Int {
        await client.get(file, headers).status.code
    }

    private func create(_ body: JSONObject, as user: String) async throws -> JSONObject {
        try await client.send(.post, "/classes/Note", of(user), body.jsonBytes).json
    }

    /// The files in the answer to a query.
    private func files(_ target: String, _ headers: HTTPFields) async throws -> [JSONValue] {
        JSONValue.object(try await client.send(.get, target, headers).json).files.map(\.json)
    }

    @Test func fileNotYetUploadedIsReadByNameByItsUserAndTheMasterKeyOnly() async throws {
        let file = withoutQuery(try await upload(as: "ada"))
        #expect(await status(file, of("ada")) == 200)
        #expect(await status(file, [.parseMasterKey: "the master key"]) == 200)
        for headers in [of("ben"), [:], [.parseMasterKey: "wrong"]] { #expect(await status(file, headers) == 404) }
        // The browser must revalidate the file, because another user may use the browser next.
        let answer = await client.get(file, of("ada"))
        #expect(answer.headers[.cacheControl] == "private, no-cache")
        let tag = try #require(answer.headers[.eTag])
        #expect(await status(file, [.ifNoneMatch: tag]) == 404)
        let part = await client.get(file, [.range: "bytes=0-1", .parseSessionToken: "ada"])
        #expect(part.status == .partialContent && part.text == "me")
    }

    @Test func signedFileURLOpensAFileForNineToTenMinutes() async throws {
        let file = try await upload(as: "ada")
        #expect(file.object?["url"]?.string?.contains("?expires=") == true)
        #expect(await status(file) == 200)
        clock.advance(.seconds(540))
        #expect(await status(file) == 200)
        clock.advance(.seconds(60))
        #expect(await status(file) == 403)
        #expect(await status(file, of("ada")) == 200)
        let other = try await upload(as: "ada")
        let query = other.object?["url"]?.string?.split(separator: "?").last ?? ""
        let mixed = (withoutQuery(file).object?["url"]?.string ?? "") + "?" + query
        #expect(await status(["url": .string(mixed)]) == 403)
    }

    @Test func answersToReadersOfAnObjectContainASignedFileURL() async throws {
        let file = try await upload(as: "ada")
        let made = try await create(["file": file], as: "ada")
        let id = try #require(made["objectId"]?.string, "\(made)")
        for headers in [of("ada"), of("ben"), [:], [.parseMasterKey: "the master key"]] {
            for target in ["/classes/Note", "/classes/Note/\(id)", "/changes?since=0"] {
                let shown = try #require(try await files(target, headers).first)
                #expect(await status(shown) == 200, "\(target)")
            }
        }
    }

    @Test func userWhoCannotReadTheObjectGetsNoSignedFileURL() async throws {
        let file = withoutQuery(try await upload(as: "ada"))
        let acl: JSONValue = ["ada": ["read": true, "write": true], "ben": ["write": true]]
        let id = try #require(try await create(["file": file, "ACL": acl], as: "ada")["objectId"]?.string)
        #expect(try await files("/classes/Note", of("ben")).isEmpty)
        // Ben knows the name of the file and may write the object, but not read it. No answer may contain the file's
        // URL.
        for (method, target) in [(HTTPRequest.Method.post, "/classes/Note"), (.put, "/classes/Note/\(id)")] {
            let answer = try await client.send(
                method, target, of("ben"), (["file": file, "list": [file]] as JSONObject).jsonBytes
            ).json
            #expect(answer["code"] == 119, "\(answer)")
        }
        #expect(try await files("/classes/Note", of("ada")).count == 1)
    }
}

/// A fake remote without files.
private struct NoFiles: RemoteFiles {
    func fetch(_ file: StoredFile) async throws -> StoredFile { throw ParseError.objectNotFound }
    func noteUse(of file: StoredFile) async throws {}
}
