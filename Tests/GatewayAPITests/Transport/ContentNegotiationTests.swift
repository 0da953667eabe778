import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import GatewayAPI

@Suite struct ContentNegotiationTests {
    private let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
    private static let lists = ["GET /classes/Holiday/a", "GET /classes/Holiday?limit=1", "GET /sync", "GET /changes"]

    @Test(arguments: lists)
    func anUnchangedReadIsAnsweredWith304(_ line: String) async throws {
        let first = await gateway.send(line)
        let tag = try #require(first.header("ETag"))
        #expect(tag.hasPrefix("W/\""))
        let again = await gateway.send(line, ["If-None-Match": "\"x\", \(tag)"])
        expect(again, 304, "")
        #expect(again.header("ETag") == tag)
        #expect(again.header("Content-Type") == nil)
    }

    @Test func aChangedReadIsAnsweredInFull() async throws {
        let tag = try #require(await gateway.send("GET /classes/Holiday/a").header("ETag"))
        #expect(await gateway.send("PUT /classes/Holiday/a", body: #"{"n":1}"#).status == 200)
        let again = await gateway.send("GET /classes/Holiday/a", ["If-None-Match": tag])
        #expect(again.status == 200)
        #expect(again.header("ETag") != tag)
    }

    @Test func reloadsAndPostsIgnoreIfNoneMatch() async throws {
        let tag = try #require(await gateway.send("GET /classes/Holiday/a").header("ETag"))
        let reload = ["If-None-Match": tag, "Cache-Control": "no-cache"]
        #expect(await gateway.send("GET /classes/Holiday/a", reload).status == 200)
        #expect(await gateway.send("POST /classes/Holiday", ["If-None-Match": "*"]).status == 201)
        #expect(await gateway.send("GET /classes/Holiday/none", ["If-None-Match": "*"]).status == 404)
    }

    @Test func unchangedReadByPostIsAnsweredWith304() async throws {
        let tag = try #require(await gateway.send("GET /classes/Holiday/a").header("ETag"))
        let body = #"{"_method":"GET"}"#
        #expect(await gateway.send("POST /classes/Holiday/a", ["If-None-Match": tag], body: body).status == 304)
    }

    @Test func anEntityTagHasTheLengthAndTheFNVHashOfTheAnswer() {
        #expect(EntityTag.tag(of: []) == "W/\"0-cbf29ce484222325\"")
        // The published test vector of FNV-1a.
        #expect(EntityTag.tag(of: Array("foobar".utf8)) == "W/\"6-85944171f73967e8\"")
    }

    @Test func anyChangedBitChangesTheEntityTag() {
        let body = (0..<50).map(UInt8.init)
        var tags: Set = [EntityTag.tag(of: body)]
        for place in body.indices {
            for bit in 0..<8 {
                var other = body
                other[place] ^= 1 << UInt8(bit)
                tags.insert(EntityTag.tag(of: other))
            }
        }
        for count in body.indices { tags.insert(EntityTag.tag(of: Array(body.prefix(count)))) }
        #expect(tags.count == 1 + 50 * 8 + 50)
    }

    private func large() -> Gateway {
        let store = MemoryStore()
        store.state.withLock { state in
            state.objects["Holiday"] = (0..<2000).map { (id: "id\($0)", fields: ["name": "Christmas"]) }
        }
        return Gateway.make(store: store)
    }

    @Test(arguments: [100, 1000])
    func largeAnswersAreCompressedWhenAskedFor(_ limit: Int) async throws {
        let gateway = large()
        let line = "GET /classes/Holiday?limit=\(limit)"
        let plain = await gateway.send(line)
        #expect(plain.header("Content-Encoding") == nil)
        #expect(plain.header("Vary") == "Accept-Encoding")
        let packed = await gateway.send(line, ["Accept-Encoding": "br;q=1.0, gzip"])
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.header("Vary") == "Accept-Encoding")
        #expect(packed.header("ETag") == plain.header("ETag"))
        #expect(packed.response.body.count < plain.response.body.count / 3)
        #expect(packed.response.body.starts(with: [0x1f, 0x8b]))
    }

    @Test func smallAnswersAreNotCompressed() async {
        let answer = await gateway.send("GET /classes/Holiday/a", ["Accept-Encoding": "gzip"])
        #expect(answer.header("Content-Encoding") == nil)
        #expect(answer.header("Vary") == nil)
    }

    @Test func varyHeaderAlsoNamesOrigin() async {
        let gateway = Gateway.make { $0.allowedOrigins = ["https://app.example"] }
        gateway.store.state.withLock { state in
            state.objects["Holiday"] = (0..<200).map { (id: "id\($0)", fields: [:]) }
        }
        let answer = await gateway.send("GET /classes/Holiday?limit=200", ["Origin": "https://app.example"])
        #expect(answer.header("Vary") == "Accept-Encoding, Origin")
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP;q=0.5", true), ("deflate, x-gzip", true), ("*", true), ("identity", false), ("", false),
        ("gzip;q=0", false), ("*;q=0", false), ("gzip; q=0.0, *", false), ("*;q=0, gzip", true),
    ])
    func theAcceptEncodingHeaderDecidesCompression(_ codings: String, _ accepts: Bool) {
        #expect(ContentNegotiation.acceptsGzip([.acceptEncoding: codings]) == accepts)
        #expect(!ContentNegotiation.acceptsGzip([:]))
    }
}

@Suite struct OptionsTests {
    @Test(arguments: [
        ("/classes/Holiday", "GET, POST, HEAD, OPTIONS"),
        ("/parse/classes/Holiday/a", "GET, PUT, DELETE, HEAD, OPTIONS"),
        ("/1/batch", "POST, OPTIONS"), ("/", "GET, HEAD, OPTIONS"), ("/app.js", "GET, HEAD, OPTIONS"),
    ])
    func optionsAnswersWithTheMethodsOfThePath(_ path: String, _ methods: String) async {
        let answer = await Gateway.make { $0.accessKey = "secret" }.send("OPTIONS \(path)")
        expect(answer, 204, "")
        #expect(answer.header("Allow") == methods)
    }

    @Test func optionsOfAnUnknownPathIsAnsweredWith404() async {
        #expect(await Gateway.make().send("OPTIONS /parse/nowhere").status == 404)
    }

    @Test func aPreflightAllowsTheHeadersThatSDKsSend() async throws {
        let gateway = Gateway.make { $0.allowedOrigins = ["https://app.example"] }
        let answer = await gateway.send(
            "OPTIONS /classes/Holiday", ["Origin": "https://app.example", "Access-Control-Request-Method": "GET"])
        let allowed = try #require(answer.header("Access-Control-Allow-Headers")).lowercased()
            .split(separator: ",").map { $0.filter { $0 != " " } }
        // The headers of Parse Server 7.1.0, and those that its newer SDKs send.
        for name in [
            "X-Parse-Master-Key", "X-Parse-REST-API-Key", "X-Parse-Javascript-Key", "X-Parse-Application-Id",
            "X-Parse-Client-Version", "X-Parse-Session-Token", "X-Requested-With", "X-Parse-Revocable-Session",
            "X-Parse-Request-Id", "Content-Type", "Pragma", "Cache-Control", "X-Parse-Installation-Id",
            "X-Parse-Client-Key", "X-Parse-Windows-Key", "X-Parse-Maintenance-Key", "X-Parse-Cloud-Context",
            "If-None-Match", "If-Match", "Authorization", "X-Tidegate-Access-Key", "X-Tidegate-Sync",
            "X-Tidegate-Forward", "X-Parse-Upload-Mode", "X-Parse-File-Metadata", "X-Parse-File-Tags",
            "X-Parse-File-Directory", "X-Parse-File-Max-Upload-Size", "Prefer",
        ] {
            #expect(allowed.contains(name.lowercased()), "\(name)")
        }
        let shown = try #require(answer.header("Access-Control-Expose-Headers"))
        #expect(shown.contains("X-Tidegate-Tag"))
        #expect(shown.contains("Preference-Applied, Tidegate-State, Link"))
        #expect(shown.contains("X-Parse-Job-Status-Id, X-Parse-Push-Status-Id"))
    }
}
