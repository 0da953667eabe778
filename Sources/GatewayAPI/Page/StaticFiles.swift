import Foundation
import HTTPServer
import HTTPTypes
import HeaderNames

/// Serves the files of the web page from one directory.
struct StaticFiles: Sendable {
    /// The absolute path of the directory, with symbolic links resolved.
    private let root: String
    private let headers: HTTPFields
    private static let fileBytesMax = 16 << 20
    /// The directory of the bundled scripts and stylesheets. The name of such a file has a hash of its content.
    private static let bundle = "assets"
    private static let keptForGood = "public, max-age=31536000, immutable"

    /// The Content-Security-Policy of the page: it loads nothing from other origins, runs no inline script, and cannot be framed.
    private static let contentSecurityPolicy = [
        "default-src 'self'", "img-src 'self' data: blob:", "style-src 'self'", "script-src 'self'", "base-uri 'none'",
        "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    init(directory: String, commonHeaders: HTTPFields) {
        root = Self.resolved(directory)
        var headers = commonHeaders
        headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        headers[.referrerPolicy] = "no-referrer"
        headers[.cacheControl] = "no-cache"
        self.headers = headers
    }

    /// - Parameter path: the decoded path segments below the directory.
    /// - Throws: `APIError.noRoute` if the directory has no such file, or if the file is hidden or larger than `fileBytesMax`.
    func file(_ path: [String], _ request: HTTPServerRequest) throws(APIError) -> HTTPServerResponse {
        guard path.allSatisfy(Self.isPlainName) else { throw .noRoute }
        let file = Self.resolved(root + "/" + path.joined(separator: "/"))
        guard file.hasPrefix(root == "/" ? root : root + "/"),
            let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? Int, size <= Self.fileBytesMax
        else { throw .noRoute }

        let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let tag = "\"\(String(size, radix: 16))-\(String(Int(changed * 1000), radix: 16))\""
        var headers = headers
        headers[.eTag] = tag
        if path.first == Self.bundle { headers[.cacheControl] = Self.keptForGood }
        if EntityTag.isKnown(tag, to: request.headers) {
            return HTTPServerResponse(status: .notModified, headers: headers)
        }
        guard let data = FileManager.default.contents(atPath: file) else { throw .noRoute }
        headers[.contentType] = ContentType.of(path.last ?? "") ?? ContentType.unknown
        return HTTPServerResponse(status: .ok, headers: headers, body: Array(data))
    }

    /// Whether a path segment is a plain name: not empty, not beginning with a dot, and without slashes, backslashes and NULs.
    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains { $0 == "/" || $0 == "\\" || $0 == "\0" }
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
