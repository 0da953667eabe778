import Foundation
import GatewayAPI
import HTTPClient
import HTTPTypes
import Logging
import ParseModel
import Testing

@testable import Gateway

/// Tests the small forms of pictures, made by the real program.
@Suite("Thumbnails of files", .serialized, .timeLimit(.minutes(5)))
struct ThumbnailTests {
    private let directory: TemporaryDirectory
    private let daemon: Daemon
    private let transport = CurlTransport(configuration: .init())

    init() async throws {
        directory = try TemporaryDirectory()
        daemon = try await Daemon(directory)
    }

    /// A picture of the demo: 320 × 320 pixels, opaque.
    private var picture: [UInt8] {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            return Array(try Data(contentsOf: root.appending(path: "web/demo/nowruz.png")))
        }
    }

    private func upload(_ content: [UInt8], _ name: String, _ type: String) async throws -> String {
        let request = HTTPClientRequest(
            method: .post, url: daemon.url + "/files/\(name)",
            headers: [.contentType: type, .parseMasterKey: try masterKey], body: content, isRepeatable: false)
        let answer = try JSONReader.read(try await transport.send(request).body)
        return try #require(answer.object?["url"]?.string)
    }

    private var masterKey: String {
        get throws {
            try String(contentsOfFile: directory.path + "/master-key", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func get(_ url: String, tag: String? = nil) async throws -> HTTPClientResponse {
        let headers: HTTPFields = tag.map { [.ifNoneMatch: $0] } ?? [:]
        return try await transport.send(
            HTTPClientRequest(method: .get, url: url, headers: headers, isRepeatable: true))
    }

    /// Width and height of a PNG or JPEG.
    private func size(of picture: [UInt8]) throws -> [Int] {
        func number(_ place: Int, _ bytes: Int) -> Int {
            picture[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
        }
        if picture.first == 0x89 { return [number(16, 4), number(20, 4)] }
        var place = 2
        while place + 9 < picture.count {
            // The frame headers are the markers C0 to CF, without tables (C4), extensions (C8) and arithmetic coding (CC).
            if (0xC0...0xCF).contains(picture[place + 1]), ![0xC4, 0xC8, 0xCC].contains(picture[place + 1]) {
                return [number(place + 7, 2), number(place + 5, 2)]
            }
            place += 2 + number(place + 2, 2)
        }
        Issue.record("neither PNG nor JPEG")
        return []
    }

    @Test func thumbnailFitsIntoTheBoxAndKeepsTheShape() async throws {
        let original = try picture
        let whole = try size(of: original)
        let url = try await upload(original, "nowruz.png", "image/png")
        let small = try await get(url + "?thumb=80x60")
        #expect(small.status == .ok && small.headers[.contentType] == "image/jpeg")
        let sides = try size(of: small.body)
        #expect(sides[0] <= 80 && sides[1] <= 60 && (sides[0] == 80 || sides[1] == 60))
        #expect(abs(sides[0] * whole[1] - sides[1] * whole[0]) <= max(whole[0], whole[1]))
        #expect(small.body.count < original.count)
        let tag = try #require(small.headers[.eTag])
        #expect(try await get(url + "?thumb=80x60", tag: tag).status == .notModified)
        #expect(try await get(url).body == original)
        // A picture is not made larger.
        #expect(try size(of: try await get(url + "?thumb=1024x1024").body) == whole.map { min($0, 1024) })
    }

    @Test func orientationOfAPhotoIsApplied() async throws {
        let url = try await upload(try picture, "wide.png", "image/png")
        let photo = try await get(url + "?thumb=100x40").body
        let upright = try size(of: photo)
        // An Exif segment with the orientation 6: the photo is to be turned by a quarter.
        let exif: [UInt8] =
            Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8) + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let turned = photo[..<2] + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + photo[2...]
        let other = try await upload(Array(turned), "turned.jpg", "image/jpeg")
        #expect(try size(of: try await get(other + "?thumb=200x200").body) == upright.reversed())
    }

    @Test func filesThatAreNoPicturesHaveNoThumbnail() async throws {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        let huge = header + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 6, 0, 0, 0, 0, 0, 0, 0]
        let files: [(String, String, [UInt8])] = [
            ("note.txt", "text/plain", Array("hello".utf8)),
            ("drawing.svg", "image/svg+xml", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
            ("huge.png", "image/png", huge),
            ("random.jpg", "image/jpeg", (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 37) }),
        ]
        for (name, type, content) in files {
            let url = try await upload(content, name, type)
            #expect(try await get(url + "?thumb=50x50").status == .unsupportedMediaType, "\(name)")
            #expect(try await get(url).status == .ok, "\(name)")
        }
    }

    @Test func wrongSizesAreRefused() async throws {
        let url = try await upload(try picture, "nowruz.png", "image/png")
        for size in ["50", "0x50", "50x-1", "50x1025", "50x50x50", "ax b"] {
            let text = size.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(try await get(url + "?thumb=\(text)").status == .badRequest, "\(size)")
        }
        #expect(try await get(daemon.url + "/files/tidegate/none.png?thumb=50x50").status == .notFound)
    }

    @Test func leastRecentlyUsedThumbnailsAreRemoved() async throws {
        let program = directory.path + "/program"
        // Prints the first byte of a JPEG and 999 further bytes.
        try Data("#!/bin/sh\nprintf '\\377'\nhead -c 999 /dev/zero\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let place = directory.path + "/thumbnails"
        let cache = ThumbnailCache(program: program, directory: place, bytesMax: 5000, logger: Logger(label: "test"))
        let size = try ThumbnailSize("10x10")
        for number in 0..<5 {
            #expect(await cache.thumbnail(of: "/none", digest: "d\(number)", size)?.contentType == "image/jpeg")
            let path = place + "/d\(number)-10x10.jpg"
            let usedAt = Date(timeIntervalSince1970: Double(number))
            try FileManager.default.setAttributes([.modificationDate: usedAt], ofItemAtPath: path)
        }
        // Its use makes the oldest the newest.
        _ = await cache.thumbnail(of: "/none", digest: "d0", size)
        _ = await cache.thumbnail(of: "/none", digest: "d5", size)
        let kept = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        #expect(kept == ["d0-10x10.jpg", "d4-10x10.jpg", "d5-10x10.jpg"])
    }

    @Test func pictureThatCannotBeScaledIsTriedOnce() async throws {
        let program = directory.path + "/program"
        try Data("#!/bin/sh\necho run >> \(directory.path)/runs\nexit 5\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let cache = ThumbnailCache(
            program: program, directory: directory.path + "/thumbnails", logger: Logger(label: "test"))
        let size = try ThumbnailSize("10x10")
        for _ in 0..<3 { #expect(await cache.thumbnail(of: "/none", digest: "d", size) == nil) }
        #expect(try String(contentsOfFile: directory.path + "/runs", encoding: .utf8) == "run\n")
    }
}
