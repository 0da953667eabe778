import Foundation
import Testing

/// A directory of page files, beside a directory that must not be served.
private final class PageFiles {
    let base = FileManager.default.temporaryDirectory.appending(path: "tidegate-page-\(UUID().uuidString)")
    var web: String { base.appending(path: "web").path }

    init() throws {
        let files = FileManager.default
        try files.createDirectory(at: base.appending(path: "web/icons"), withIntermediateDirectories: true)
        try files.createDirectory(at: base.appending(path: "web/assets"), withIntermediateDirectories: true)
        try files.createDirectory(at: base.appending(path: "web-other"), withIntermediateDirectories: true)
        for (path, text) in [
            ("web/index.html", "<p>page</p>"), ("web/app.js", "1"), ("web/assets/page-0123.js", "2"),
            ("web/icons/a b.svg", "<svg/>"),
            ("web/data.unknown", "?"), ("web/.env", "secret"), ("web-other/secret.txt", "secret"),
            ("secret.txt", "secret"),
        ] { try Data(text.utf8).write(to: base.appending(path: path)) }
        for (link, target) in [
            ("web/out.txt", "../secret.txt"), ("web/sibling", "../web-other"), ("web/in.js", "app.js"),
        ] {
            try files.createSymbolicLink(
                atPath: base.appending(path: link).path, withDestinationPath: target)
        }
    }

    deinit { try? FileManager.default.removeItem(at: base) }
}

@Suite struct StaticFilesTests {
    private let files: PageFiles
    private let gateway: Gateway

    init() throws {
        let files = try PageFiles()
        self.files = files
        gateway = .make { $0.webDirectory = files.web }
    }

    @Test(arguments: [
        ("/", "<p>page</p>", "text/html; charset=utf-8"), ("/index.html", "<p>page</p>", "text/html; charset=utf-8"),
        ("/app.js", "1", "text/javascript; charset=utf-8"), ("/in.js", "1", "text/javascript; charset=utf-8"),
        ("/icons/a%20b.svg", "<svg/>", "image/svg+xml"), ("/data.unknown", "?", "application/octet-stream"),
    ])
    func filesOfThePageAreServedWithTheirTypes(_ path: String, _ text: String, _ type: String) async {
        let answer = await gateway.send("GET \(path)")
        expect(answer, 200, text)
        #expect(answer.header("Content-Type") == type)
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
        #expect(answer.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
        #expect(answer.header("X-Tidegate-Mode") == "standalone")
    }

    @Test func browsersKeepBundledFilesAndAskAgainForOthers() async {
        #expect(await gateway.send("GET /app.js").header("Cache-Control") == "no-cache")
        let bundled = await gateway.send("GET /assets/page-0123.js")
        #expect(bundled.header("Cache-Control") == "public, max-age=31536000, immutable")
    }

    @Test(arguments: [
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/icons/../../secret.txt",
        "/.env", "/%2eenv", "/out.txt", "/sibling/secret.txt", "/icons", "/icons/", "/nope.html", "/..%5csecret.txt",
        "//etc/passwd", "/parse/index.html", "/1/app.js", "/app.js/x",
    ])
    func filesOutsideThePageDirectoryAreNotServed(_ path: String) async {
        expect(await gateway.send("GET \(path)"), 404, #"{"error":"not found"}"#)
    }

    @Test func anUnchangedFileIsAnsweredWith304() async throws {
        let first = await gateway.send("GET /app.js")
        let tag = try #require(first.header("ETag"))
        #expect(first.header("Cache-Control") == "no-cache")
        expect(await gateway.send("GET /app.js", ["If-None-Match": tag]), 304, "")
        expect(await gateway.send("GET /app.js", ["If-None-Match": "\"x\", W/\(tag)"]), 304, "")
        expect(await gateway.send("GET /app.js", ["If-None-Match": "\"x\""]), 200, "1")
        try Data("22".utf8).write(to: files.base.appending(path: "web/app.js"))
        expect(await gateway.send("GET /app.js", ["If-None-Match": tag]), 200, "22")
    }

    @Test func aRouteTakesPrecedenceOverAFileOfThePage() async throws {
        try Data("x".utf8).write(to: files.base.appending(path: "web/health"))
        expect(await gateway.send("GET /health"), 200, #"{"status":"ok"}"#)
    }
}
