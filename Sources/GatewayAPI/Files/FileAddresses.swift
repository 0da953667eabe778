import Foundation
import HTTPServer
import HTTPTypes
import ParseModel
import StoreService

/// Gives each file in an answer its URL at this gateway. A file that is not in the store keeps its URL, if it has one. Stored
/// objects contain no URL of this gateway, because the gateway has several host names.
struct FileAddresses: Sendable {
    let store: any FileStore
    /// The application id in the URL's path.
    let applicationId: String
    /// Signs the URLs of files that are not on the remote yet; nil for URLs without signatures.
    let signing: Signing?
    struct Signing: Sendable {
        let addresses: SignedAddresses
        /// The user in whose space the files are; nil in a site replica, in which all users share one store.
        let userId: String?
    }

    private static let mark = Array(#""__type":"File""#.utf8)

    /// The URL of a file.
    /// - Parameter base: the beginning of the URL, before `/files`.
    func address(of name: String, base: String) -> String {
        // The name of a file in a directory has slashes.
        let segments =
            ["files", applicationId] + name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let path = segments.map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return base + path
    }

    /// The URL of a file that is not on the remote yet. It is signed in a user's space and in a site replica.
    func ownAddress(of name: String, base: String) -> String {
        let address = address(of: name, base: base)
        return signing.map { "\(address)?\($0.addresses.query(of: name, userId: $0.userId))" } ?? address
    }

    /// The JSON text with file URLs inserted; the unchanged text if it contains no files or is unreadable.
    /// - Throws: errors of the store.
    func addressed(_ text: [UInt8], base: String, for principal: Principal) throws -> [UInt8] {
        guard Self.isMarked(text), let json = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax) else {
            return text
        }
        let names = Set(json.files.map(\.name))
        let served = try store.servedFiles(among: Array(names), as: principal)
        let signed = signing == nil ? [] : try served.filter { try isSigned($0, for: principal) }
        let addressed = json.replacingFiles { file in
            guard served.contains(file.name) || file.url == nil else { return file }
            if signed.contains(file.name) {
                return FileReference(name: file.name, url: ownAddress(of: file.name, base: base))
            }
            return FileReference(name: file.name, url: address(of: file.name, base: base))
        }
        return addressed.jsonBytes
    }

    /// Whether a principal gets the signed URL of a file: the file is not on the remote, and the principal may read its content.
    private func isSigned(_ name: String, for principal: Principal) throws -> Bool {
        guard let file = try store.file(name, as: principal), file.remoteURL == nil else { return false }
        return try store.rights.shows(file, to: principal)
    }

    /// Inserts file URLs into a response with a JSON body.
    /// - Parameter base: scheme, host and mount path of the URLs, as in `RoutedRequest.base`.
    /// - Throws: errors of the store.
    func put(
        into response: inout HTTPServerResponse, base: @autoclosure () -> String, for principal: Principal
    ) throws {
        // The body is searched first, because that is faster than searching the headers.
        guard case .bytes(let text) = response.content, Self.isMarked(text),
            response.headers[.contentType]?.contains("json") == true
        else { return }
        response.body = try addressed(text, base: base(), for: principal)
    }

    /// Whether the text contains a file, written as `"__type":"File"`. Stored JSON has no blanks between tokens. Strings cannot
    /// contain these bytes, because quotation marks in strings are escaped. The search looks for the letter F, which is rare.
    static func isMarked(_ text: [UInt8]) -> Bool {
        let before = mark.count - "File\"".utf8.count
        return text.withUnsafeBytes { text in
            guard let start = text.baseAddress else { return false }
            var place = 0
            while let found = memchr(start + place, Int32(UInt8(ascii: "F")), text.count - place) {
                place = start.distance(to: found)
                let begin = place - before
                if begin >= 0, begin + mark.count <= text.count, memcmp(start + begin, mark, mark.count) == 0 {
                    return true
                }
                place += 1
            }
            return false
        }
    }
}
