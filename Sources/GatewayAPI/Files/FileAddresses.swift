import Foundation
import HTTPServer
import HTTPTypes
import ParseModel
import StoreService

/// Gives each file in an answer the address at which this gateway has it. The texts of stored objects hold no address or the
/// remote's, because the gateway has several names and does not have each file.
struct FileAddresses: Sendable {
    let store: any FileStore
    /// The part of an address that names the application.
    let applicationId: String
    private static let mark = Array(#""__type":"File""#.utf8)

    /// Where a file is found.
    /// - Parameter base: the beginning of the address, before `/files`.
    func address(of name: String, base: String) -> String {
        let path = ["files", applicationId, name].map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return base + path
    }

    /// JSON text with addresses in it; the same text where it has no files.
    /// - Throws: errors of the store.
    func addressed(_ text: [UInt8], base: String, for principal: Principal) throws -> [UInt8] {
        guard Self.isMarked(text), let json = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax) else {
            return text
        }
        let names = Set(json.files.map(\.name))
        let served = try store.servedFiles(among: Array(names), as: principal)
        let addressed = json.replacingFiles { file in
            guard served.contains(file.name) || file.url == nil else { return file }
            return FileReference(name: file.name, url: address(of: file.name, base: base))
        }
        return addressed.jsonBytes
    }

    /// Puts addresses into a response whose body is JSON.
    /// - Parameter base: the beginning of an address, as in `RoutedRequest.base`.
    /// - Throws: errors of the store.
    func put(
        into response: inout HTTPServerResponse, base: @autoclosure () -> String, for principal: Principal
    ) throws {
        // The text of an object is searched faster than its headers.
        guard case .bytes(let text) = response.content, Self.isMarked(text),
            response.headers[.contentType]?.contains("json") == true
        else { return }
        response.body = try addressed(text, base: base(), for: principal)
    }

    /// Texts are written without blanks, and a quotation mark inside a string has a backslash before it. An F is seldom.
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
