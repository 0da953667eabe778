import Foundation
import GatewayAPI
import HTTPTypes
import LocalStore
import ParseModel
import Testing

@testable import Gateway

@Suite("Files over the API")
struct FileRequestsTests {
    private let directory: TemporaryDirectory
    private let hub: Hub
    private let client: FileClient

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock(), keys: ClientKeys(masterKey: "the master key"))
        client = FileClient(api: hub.api)
    }

    // MARK: Uploads

    @Test func anUploadedFileGetsAUniqueNameAndAnAddress() async throws {
        let response = await client.send(.post, "/parse/files/cat.png", [.contentType: "image/png"], Array("meow".utf8))
        #expect(response.status == .created)
        let answer = try response.json
        let name = try #require(answer["name"]?.string)
        #expect(name.wholeMatch(of: /[0-9a-f]{32}_cat\.png/) != nil)
        #expect(answer["url"] == .string("http://localhost:1338/parse/files/tidegate/\(name)"))
        #expect(response.headers[.location] == answer["url"]?.string)
        let other = try await client.upload("cat.png", "meow")
        #expect(other.object?["name"] != answer["name"])
    }

    @Test func anUploadedFileIsReadUnchanged() async throws {
        let file = try await client.upload("cat.png", "meow")
        let response = await client.get(file)
        #expect(response.status == .ok)
        #expect(response.text == "meow")
        #expect(response.headers[.contentType] == "image/png")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.contentDisposition] == nil)
        let tag = try #require(response.headers[.eTag])
        #expect(await client.get(file, [.ifNoneMatch: tag]).status == .notModified)
    }

    /// The upload is read in chunks. Escapes must be decoded at each position of a chunk.
    @Test func longBase64UploadWithEscapesIsStoredUnchanged() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) | 0xFB })
        let letters = content.base64EncodedString().replacing("/", with: "\\u002F").replacing("+", with: "\\u002B")
        let body = Array(#"{"base64":"\#(letters)","_ApplicationId":"app"}"#.utf8)
        let response = await client.send(.post, "/files/a.bin", [.contentType: "text/plain"], body)
        let name = try #require(try response.json["name"]?.string)
        #expect(await client.send(.get, "/files/app/\(name)").wholeBody == Array(content))
    }

    static let contents = ["meow", "", "a", "ab", "abc", String(repeating: "0123456789ü", count: 20_000)]

    @Test(arguments: contents)
    func fileContentMayBeUploadedAsBase64InJSON(content: String) async throws {
        let base64 = Data(content.utf8).base64EncodedString()
        let escaped = base64.replacing("=", with: "\\u003d").replacing("/", with: "\\u002F").replacing(
            "+", with: "\\u002b")
        for letters in [
            base64, base64.replacing("/", with: "\\/"), escaped, "data:image/png;base64," + base64,
            base64.replacing("=", with: ""),
        ] {
            let body = """
                {"_ApplicationId":"app", "fileData": {"metadata": {"base64": "no"}}, "base64" : "\(letters)",
                "_ContentType":"image/webp","_ClientVersion":"js5.3.0"}
                """
            let response = await client.send(
                .post, "/files/cat.png", [.contentType: "text/plain"], Array(body.utf8))
            guard !content.isEmpty else {
                #expect(try response.json["code"] == 130)
                continue
            }
            let name = try #require(try response.json["name"]?.string)
            let got = await client.send(.get, "/files/app/\(name)")
            #expect(got.text == content)
            // As in Parse Server, the file name determines the type.
            #expect(got.headers[.contentType] == "image/png")
        }
    }

    @Test(arguments: [#""§§§§""#, #""ab=c""#, #""====""#, #""abcde""#, #""a\\x""#, "null"])
    func uploadWithInvalidBase64IsRefused(letters: String) async throws {
        let body = Array(#"{"_ApplicationId":"app","base64":\#(letters)}"#.utf8)
        let response = await client.send(.post, "/files/cat.png", [.contentType: "text/plain"], body)
        #expect(response.status == .badRequest)
        #expect(try response.json["code"] == 130)
    }

    @Test(arguments: ["5", #"{"a":1}"#]) func uploadWhoseContentIsNoStringIsRefusedLikeAWrongKey(
        content: String
    ) async throws {
        let body = Array(#"{"_ApplicationId":"app","base64":\#(content)}"#.utf8)
        let response = await client.send(.post, "/files/cat.png", [.contentType: "text/plain"], body)
        #expect(response.status == .forbidden)
        #expect(try response.json == ["error": "unauthorized"])
    }

    @Test func uploadedJSONFileIsStoredUnchanged() async throws {
        for headers: HTTPFields in [[.contentType: "application/json"], [.parseApplicationId: "app"]] {
            let response = await client.send(.post, "/files/a.json", headers, Array(#"{"a":1}"#.utf8))
            let name = try #require(try response.json["name"]?.string)
            #expect(await client.send(.get, "/files/app/\(name)").text == #"{"a":1}"#)
        }
    }

    static let names = [
        ("a%2Fb.txt", "Filename contains invalid characters."),
        ("..%2F..%2Fetc", "Filename contains invalid characters."),
        (".hidden", "Filename contains invalid characters."), ("a%00b", nil),
        ("%3Cscript%3E", "Filename contains invalid characters."),
        (String(repeating: "a", count: 129), "Filename too long."), ("a%22b", "Filename contains invalid characters."),
    ]

    @Test(arguments: names)
    func anInvalidFileNameIsRefused(name: String, message: String?) async throws {
        let response = await client.send(.post, "/files/\(name)", [:], Array("x".utf8))
        #expect(response.status == .badRequest)
        if let message { #expect(try response.json == ["code": 122, "error": .string(message)]) }
    }

    @Test func emptyAndTooLargeFilesAreRefused() async throws {
        #expect(try await client.json(.post, "/files/a.txt")["code"] == 130)
        var limits = RequestLimits()
        limits.fileBytesMax = 3
        let api = Standalone.api(
            APIParts(
                store: hub.store.objects, configuration: .init(mode: .standalone, version: "test", limits: limits),
                environment: TestClock().environment, logger: .quiet),
            accounts: nil)
        let content = Data("four".utf8)
        let envelope = Array(#"{"_ApplicationId":"app","base64":"\#(content.base64EncodedString())"}"#.utf8)
        for body in [Array(content), envelope] {
            #expect(await FileClient(api: api).send(.post, "/files/a.txt", [:], body).status == .contentTooLarge)
        }
    }

    @Test func aMissingContentTypeIsDerivedFromTheName() async throws {
        for (name, type) in [("a.jpg", "image/jpeg"), ("a", "application/octet-stream"), ("a.PDF", "application/pdf")] {
            let response = await client.send(.post, "/files/\(name)", [:], Array("x".utf8))
            let got = await client.send(.get, "/files/app/\(try response.json["name"]?.string ?? "")")
            #expect(got.headers[.contentType] == type)
        }
    }

    // MARK: Downloads

    static let types = [
        ("text/html", true), ("image/svg+xml", true), ("application/xhtml+xml", true), ("text/javascript", true),
        ("application/pdf", true), ("Text/HTML; charset=utf-8", true), ("application/octet-stream", true),
        ("image/png", false), ("IMAGE/JPEG", false), ("text/plain; charset=utf-8", false), ("video/mp4", false),
    ]

    @Test(arguments: types)
    func filesThatABrowserCouldRunAreServedAsAttachments(type: String, isSaved: Bool) async throws {
        let response = await client.get(try await client.upload("a", "<script>", type: type))
        #expect(response.headers[.contentDisposition] == (isSaved ? "attachment" : nil))
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
    }

    /// Earlier versions stored any content type, and a remote may send any.
    @Test(arguments: ["text/plain;,text/html", "audio/x, text/html", "text/plain;a=\"b,text/html", "text"])
    func storedFileWithAMalformedTypeIsServedAsAnAttachment(type: String) async throws {
        let draft = try hub.store.draft()
        try Array("<script>".utf8).withUnsafeBytes { try draft.write($0) }
        _ = try await hub.store.addFile(draft, name: "a", contentType: type)
        let response = await client.send(.get, "/files/app/a")
        #expect(response.text == "<script>")
        #expect(response.headers[.contentType] == "application/octet-stream")
        #expect(response.headers[.contentDisposition] == "attachment")
    }

    static let ranges: [(String, Int, String, String?)] = [
        ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=10-", 416, "", "bytes */10"),
        ("bytes=-0", 416, "", "bytes */10"), ("bytes=3-2", 200, "0123456789", nil),
        ("bytes=0-1,4-5", 200, "0123456789", nil), ("lines=0-1", 200, "0123456789", nil),
        ("bytes=a-b", 200, "0123456789", nil),
    ]

    @Test(arguments: ranges)
    func byteRangesOfAFileAreServed(range: String, status: Int, text: String, contentRange: String?) async throws {
        let file = try await client.upload("a.txt", "0123456789", type: "text/plain")
        let response = await client.get(file, [.range: range])
        #expect(response.status.code == status)
        #expect(response.text == text)
        #expect(response.headers[.contentRange] == contentRange)
        let changed = await client.get(file, [.range: "bytes=0-3", .ifRange: "\"another\""])
        #expect(changed.status == .ok)
    }

    @Test func aMissingFileIsAnsweredWith404() async throws {
        let response = await client.send(.get, "/files/app/none.txt")
        #expect(response.status == .notFound)
        #expect(response.text == "File not found.")
        #expect(await client.send(.get, "/files/app/..%2F..%2Flock").status == .notFound)
    }

    @Test func imagesMayBeEmbeddedInPagesOfOtherSites() async throws {
        let file = try await client.upload("cat.png", "meow")
        let fromElsewhere: HTTPFields = [
            HTTPField.Name("Sec-Fetch-Site")!: "cross-site", HTTPField.Name("Sec-Fetch-Mode")!: "no-cors",
            HTTPField.Name("Sec-Fetch-Dest")!: "image",
        ]
        #expect(await client.get(file, fromElsewhere).status == .ok)
        #expect(await client.send(.get, "/classes/Holiday", fromElsewhere).status == .forbidden)
    }

    // MARK: In objects

    @Test func answersWithObjectsContainTheURLsOfTheirFiles() async throws {
        let file = try await client.upload("cat.png", "meow")
        let url = try #require(file.object?["url"])
        let bare: JSONValue = ["__type": "File", "name": file.object?["name"] ?? .null]
        let made = try await client.json(.post, "/classes/Holiday", ["image": bare, "more": [["deep": file]]])
        let id = try #require(made["objectId"]?.string)
        let got = try await client.json(.get, "/classes/Holiday/\(id)")
        #expect(got["image"] == file)
        #expect(got["more"] == [["deep": file]])
        let list = try await client.json(.get, "/parse/classes/Holiday?keys=image")
        let address = list["results"]?.array?.first?.object?["image"]?.object?["url"]?.string
        #expect(address == url.string?.replacing("/files/", with: "/parse/files/"))
        let batch = await client.send(
            .post, "/batch", [:],
            Array(#"{"requests":[{"method":"GET","path":"/classes/Holiday/\#(id)"}]}"#.utf8))
        #expect(batch.text.contains(url.jsonText))
        let pointing = try await client.json(
            .post, "/classes/Trip", ["day": Pointer(className: "Holiday", objectId: id).json])
        let trip = try await client.json(.get, "/classes/Trip/\(pointing["objectId"]?.string ?? "")?include=day")
        #expect(trip["day"]?.object?["image"] == file)
        #expect(await client.send(.get, "/changes").text.contains(url.jsonText))
        #expect(try hub.store.fields("Holiday", id)?["image"] == bare)
    }

    @Test func changeStreamsContainTheURLsOfFiles() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        let answer = await client.send(.get, "/parse/changes", [.accept: "text/event-stream"])
        guard case .stream(let stream) = answer.content else {
            Issue.record("no stream")
            return
        }
        var text = ""
        while case .bytes(let bytes) = stream.next() { text += String(decoding: bytes, as: UTF8.self) }
        let event = try #require(text.components(separatedBy: "\n\n").first { $0.contains("event: change") })
        let data = try #require(event.firstRange(of: "data: "))
        let change = try #require(try JSONReader.read(String(event[data.upperBound...])).object)
        let image = change["object"]?.object?["image"]?.object
        #expect(image?["url"]?.string == file.object?["url"]?.string?.replacing("/files/", with: "/parse/files/"))
        stream.closed()
    }

    @Test func objectsAreFoundByTheNameOfAFile() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        let query = try #require(
            (["image": file] as JSONObject).jsonText.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await client.json(.get, "/classes/Holiday?where=\(query)")["results"]?.array?.count == 1)
    }

    // MARK: Deletions

    @Test func onlyTheMasterKeyDeletesFiles() async throws {
        let file = try await client.upload("cat.png", "meow")
        let name = file.object?["name"]?.string ?? ""
        #expect(await client.send(.delete, "/files/\(name)").status == .forbidden)
        #expect(await client.get(file).status == .ok)
        let key: HTTPFields = [.parseMasterKey: "the master key"]
        #expect(await client.send(.delete, "/files/\(name)", key).status == .ok)
        #expect(await client.get(file).status == .notFound)
        let again = await client.send(.delete, "/files/\(name)", key)
        #expect(try again.json == ["code": 153, "error": "Could not delete file."])
    }

    @Test func aFileCanBeDeletedByAPostWithAMethodOverride() async throws {
        let file = try await client.upload("cat.png", "meow")
        let name = file.object?["name"]?.string ?? ""
        let body = Array(#"{"_method":"DELETE","_ApplicationId":"app","_MasterKey":"the master key"}"#.utf8)
        #expect(await client.send(.post, "/files/\(name)", [.contentType: "text/plain"], body).status == .ok)
        #expect(await client.get(file).status == .notFound)
    }

    // MARK: Compatibility with Parse Server

    @Test(arguments: ["/files", "/files/", "/parse/files/"]) func anUploadWithoutAFileNameIsRefused(
        path: String
    ) async throws {
        let response = await client.send(.post, path, [.contentType: "image/png"], Array("meow".utf8))
        #expect(response.status == .badRequest)
        #expect(try response.json == ["code": 122, "error": "Filename not provided."])
    }

    @Test func theContentTypeOfAFileFollowsFromItsName() async throws {
        let page = try await client.upload("a.html", "<p>", type: "text/plain")
        let response = await client.get(page)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentDisposition] == "attachment")
        let picture = try await client.upload("a.png", "meow", type: "text/plain")
        #expect(await client.get(picture).headers[.contentType] == "image/png")
        let unknown = try await client.upload("a.xyz", "meow", type: "text/plain")
        #expect(await client.get(unknown).headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test func fileURLsContainTheConfiguredApplicationId() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock(), keys: ClientKeys(applicationId: "mine"))
        let client = FileClient(api: hub.api)
        let headers: HTTPFields = [.contentType: "image/png", HTTPField.Name("X-Parse-Application-Id")!: "mine"]
        let name = try #require(
            try await client.send(.post, "/files/cat.png", headers, Array("meow".utf8)).json["name"]?.string)
        #expect(await client.send(.get, "/files/mine/\(name)").text == "meow")
        let other = await client.send(.get, "/files/other/\(name)")
        #expect(other.status == .forbidden)
        #expect(try other.json == ["error": "Invalid application ID."])
    }

    @Test func metadataRouteOfEveryFileIsAnsweredWithAnEmptyObject() async throws {
        let file = try await client.upload("cat.png", "meow")
        let name = try #require(file.object?["name"]?.string)
        for name in [name, "none.png"] {
            let response = await client.send(.get, "/parse/files/app/metadata/\(name)")
            #expect(response.status == .ok)
            #expect(response.text == "{}")
        }
        // The metadata route answers `{}` without the access key, as for a public file.
        let directory = try TemporaryDirectory()
        let locked = FileClient(api: try Hub(directory, clock: TestClock(), accessKey: "the key").api)
        #expect(await locked.send(.get, "/files/app/metadata/none.png").text == "{}")
    }
}

extension HTTPField.Name {
    fileprivate static let parseApplicationId = Self("X-Parse-Application-Id")!
    fileprivate static let parseMasterKey = Self("X-Parse-Master-Key")!
}
