import Foundation
import GatewayAPI
import HTTPServer
import Testing

/// Tests the requests that pages of other sites can make through the browser of a visitor.
@Suite("Requests from other web sites") struct OtherSitesTests {
    private let api = [
        "/classes/Holiday?order=-name", "/parse/classes/Holiday?where=%7B%7D", "/1/classes/Holiday/a", "/sync",
        "/health",
        "/metrics", "/changes", "/serverInfo", "/schemas", "/parse/health", "/parse", "/1/", "/aggregate/Holiday",
        "/%63lasses/Holiday", "//classes/Holiday", "/sync/",
    ]

    private func visit(_ site: String, _ destination: String? = "document") -> [String: String] {
        var headers = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"]
        headers["Sec-Fetch-Dest"] = destination
        return headers
    }

    @Test(arguments: ["cross-site", "same-site", "something-new"])
    func aNavigationFromAnotherSiteReachesNoAPIRoute(_ site: String) async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        let paths = api.filter { !$0.hasPrefix("//") }
        for line in ["GET ", "HEAD "].flatMap({ method in paths.map { method + $0 } }) {
            let answer = await gateway.send(line, visit(site))
            #expect(answer.status == 403, "\(line)")
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8", "\(line)")
            #expect(answer.text.contains("<a href=\"/\">"), "\(line)")
            #expect(answer.text.utf8.count < 1000)
        }
        #expect(gateway.store.state.withLock { $0.queries.isEmpty })
    }

    @Test func aNavigationFromAnotherSiteReachesThePageFilesAndTheDescription() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "tidegate-sites-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["index.html", "app.js"] { try Data("x".utf8).write(to: directory.appending(path: name)) }
        let gateway = Gateway.make {
            $0.webDirectory = directory.path
            $0.openAPIFile = Array("openapi".utf8)
        }
        for path in ["/", "/app.js", "/openapi.yaml", "/parse/openapi.yaml", "/1/openapi.yaml"] {
            #expect(await gateway.send("GET \(path)", visit("cross-site")).status == 200, "\(path)")
            #expect(await gateway.send("HEAD \(path)", visit("cross-site")).status == 200, "\(path)")
        }
        for path in ["/files/app/none.png", "/parse/files/app/none.png", "/1/files/app/none.png"] {
            #expect(await gateway.send("GET \(path)", visit("cross-site")).text == "File not found.", "\(path)")
        }
        for path in ["/parse/", "/1/app.js"] {
            #expect(await gateway.send("GET \(path)", visit("cross-site")).status == 403, "\(path)")
        }
    }

    @Test(arguments: ["cross-site", "same-site"])
    func formsFramesAndSubresourcesOfOtherSitesAreRefused(_ site: String) async {
        let gateway = Gateway.make()
        for destination in ["iframe", "frame", "object", "embed", "fencedframe"] {
            for path in ["/", "/sync", "/openapi.yaml"] {
                let answer = await gateway.send("GET \(path)", visit(site, destination))
                #expect(answer.status == 403, "\(destination) \(path)")
                #expect(answer.header("Content-Type")?.hasPrefix("application/json") == true)
            }
        }
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            #expect(await gateway.send("\(method) /sync", visit(site)).status == 403)
            #expect(await gateway.send("\(method) /", visit(site)).status == 403)
        }
        for mode in ["no-cors", "cors", "websocket", "same-origin"] {
            for destination in ["image", "script", "style", "empty", "document", "prefetch", "worker"] {
                let headers = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination]
                #expect(await gateway.send("GET /sync", headers).status == 403, "\(mode) \(destination)")
                #expect(await gateway.send("GET /", headers).status == 403, "\(mode) \(destination)")
            }
        }
    }

    private let oldBrowser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15"

    @Test func browsersWithoutFetchMetadataReachNoAPIRoute() async {
        let gateway = Gateway.make()
        for path in api.filter({ !$0.hasPrefix("//") }) {
            for (accept, isVisit) in [
                ("text/html,application/xhtml+xml,*/*;q=0.8", true), ("image/*", false), ("*/*", false),
            ] {
                let answer = await gateway.send("GET \(path)", ["User-Agent": oldBrowser, "Accept": accept])
                #expect(answer.status == 403, "\(path)")
                #expect(answer.header("Content-Type")?.hasPrefix("text/html") == isVisit)
            }
        }
        // Old browsers send forms without `Origin`.
        #expect(await gateway.send("POST /classes/Holiday", ["User-Agent": oldBrowser], body: "{}").status == 403)
        let withPassword = ["User-Agent": oldBrowser, "Authorization": "Basic YTpi"]
        #expect(await gateway.send("GET /sync", withPassword).status == 403)
        #expect(gateway.store.state.withLock { $0.queries.isEmpty })
        #expect(await gateway.send("GET /", ["User-Agent": oldBrowser]).status == 200)
        #expect(await gateway.send("GET /files/app/none", ["User-Agent": oldBrowser]).text == "File not found.")
    }

    @Test(arguments: [
        ["X-Tidegate-Page": "1"], ["X-Parse-Application-Id": "app"], ["Authorization": "Bearer key"],
        ["Origin": "http://127.0.0.1:1338"],
    ])
    func requestsThatAnotherSiteCannotMakePassInOldBrowsers(_ headers: [String: String]) async {
        let headers = headers.merging(["User-Agent": oldBrowser]) { $1 }
        #expect(await Gateway.make().send("GET /classes/Holiday", headers).status == 200)
        #expect(await Gateway.make().send("POST /classes/Holiday", headers, body: "{}").status == 201)
    }

    @Test(arguments: [
        "curl/7.88.1", "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1682", "node",
        "Dart/3.5 (dart:io)", "okhttp/4.9.2",
    ])
    func requestsOfProgramsWithoutABrowserPass(_ agent: String) async {
        #expect(await Gateway.make().send("GET /classes/Holiday", ["User-Agent": agent]).status == 200)
    }

    @Test func everyAnswerHasAHeaderThatForbidsOtherOrigins() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"])) { $0.allowedOrigins = ["https://app.example"] }
        let lines = [
            "GET /classes/Holiday", "GET /classes/Holiday/a", "POST /classes/Holiday", "GET /nowhere", "GET /",
            "GET /health",
            "OPTIONS /sync", "GET /metrics", "GET /changes", "POST /batch", "GET /classes/Holiday?where=1", "GET /%zz",
        ]
        let senders = [
            [:], ["Origin": "https://app.example"], ["Origin": "https://evil.example"], visit("cross-site"),
            ["Accept": "text/event-stream"],
        ]
        for (line, headers) in lines.flatMap({ line in senders.map { (line, $0) } }) {
            let answer = await gateway.send(line, headers)
            #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin", "\(line) \(headers)")
            #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin", "\(line) \(headers)")
            if case .stream(let stream) = answer.response.content { stream.closed() }
        }
        for path in ["/files/app/none.png", "/parse/files/app/none.png", "/1/files/app/none.png"] {
            for headers in senders {
                let answer = await gateway.send("GET \(path)", headers)
                #expect(answer.header("Cross-Origin-Resource-Policy") == "cross-origin")
                #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin")
            }
        }
    }

    @Test func answersMayBeCachedPrivatelyAndMustBeRevalidated() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        for line in [
            "GET /classes/Holiday", "GET /classes/Holiday/a", "GET /sync", "POST /classes/Holiday", "GET /nowhere",
        ] {
            #expect(await gateway.send(line).header("Cache-Control") == "private, no-cache", "\(line)")
        }
        let tag = try #require(await gateway.send("GET /classes/Holiday/a").header("ETag"))
        let again = await gateway.send("GET /classes/Holiday/a", ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.header("Cache-Control") == "private, no-cache")
    }
}
