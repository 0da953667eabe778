import Foundation
import GatewayAPI
import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel

/// Sends the exports and imports of the command line to a gateway.
package struct Transfers: Sendable {
    private let client: GatewayClient
    /// The gateway's maintenance key, with which imported objects keep their times; nil to use the keys of the client.
    private let maintenanceKey: String?

    package init(_ client: GatewayClient, maintenanceKey: String? = nil) {
        (self.client, self.maintenanceKey) = (client, maintenanceKey)
    }

    /// Whether imported objects keep their times.
    package var keepsTimes: Bool { maintenanceKey != nil }

    /// A class, or the join table of a relation, in the list of all exports.
    package struct Source: Sendable, Hashable {
        package let className: String
        /// The number of objects; nil if it is not counted.
        package let objects: Int?
    }

    /// Whether the objects with this class name are schemas or the global config.
    package static func isSetting(_ className: String) -> Bool { SchemaTransfer.holds(className) }

    /// All classes of the gateway, then the join tables of relations, then `_SCHEMA` and `_GlobalConfig` unless they
    /// are empty. Needs the master key.
    package func sources() async throws -> [Source] {
        let answer = try await client.call(.get, "/export?format=list")
        return answer["results"]?.array?.compactMap { result in
            guard let className = result.object?["className"]?.string else { return nil }
            return Source(className: className, objects: result.object?["objects"]?.int)
        } ?? []
    }

    /// The schemas of all classes. Needs the master key. A replica asks its remote.
    package func schemas() async throws -> [ClassSchema] {
        let answer = try await client.call(.get, "/schemas")
        return answer["results"]?.array?.compactMap(\.object).compactMap(ClassSchema.init(json:)) ?? []
    }

    /// Downloads an export.
    /// - Parameters:
    ///   - className: nil for all classes in one file.
    ///   - parameters: the parameters of the query.
    ///   - sink: receives the pieces of the file. Returns false to end the download.
    package func export(
        _ className: String?, _ parameters: [(name: String, value: String)], into sink: @escaping HTTPResponseSink
    ) async throws {
        try await client.transfer(
            .get, Self.path("/export", className, parameters), accept: "*/*", file: nil, key: nil, into: sink)
    }

    /// Imports a file.
    /// - Parameters:
    ///   - className: nil if each object names its class.
    ///   - progress: receives the gateway's lines about the progress.
    /// - Returns: the result of the import, with `error` if it has failed.
    package func importFile(
        _ path: String, _ className: String?, _ parameters: [(name: String, value: String)],
        progress: @escaping @Sendable (JSONObject) -> Void
    ) async throws -> JSONObject {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let lines = AnswerLines { line in
            if let object = line["progress"]?.object { progress(object) }
        }
        try await client.transfer(
            .post, Self.path("/import", className, parameters), accept: "application/x-ndjson",
            file: HTTPClientRequest.BodyFile(path: path, size: size), key: maintenanceKey
        ) { lines.take($0) }
        guard let last = lines.last else {
            throw GatewayClientError.interrupted(url: client.url, reason: "the result of the import is missing")
        }
        return last
    }

    /// Checks the parameters `rename` and `type` of an import.
    /// - Throws: `ParseError` for malformed pairs and for unknown types.
    package static func check(rename: [String], type: [String]) throws(ParseError) {
        _ = try FieldMap([
            "rename": .array(rename.map(JSONValue.string)), "type": .array(type.map(JSONValue.string)),
        ])
    }

    // MARK: Contents of files

    /// Downloads the content of a file.
    /// - Parameter file: a file in an exported object.
    /// - Returns: the details of the file: the members `metadata` and `tags` if it has them, and `contentType` if the
    ///   name of the file does not show the type. Nil if the gateway does not have the content.
    package func content(of file: FileReference, into sink: @escaping HTTPResponseSink) async throws -> JSONObject? {
        guard let url = file.url, url.hasPrefix(client.url + "/") else { return nil }
        do {
            let headers = try await client.transfer(
                .get, String(url.dropFirst(client.url.count)), accept: "*/*", file: nil, key: nil, into: sink)
            var details = try await metadata(ofFileAt: url)
            if ContentType.of(file.name) == nil, let type = headers[.contentType], type != ContentType.unknown {
                details["contentType"] = .string(type)
            }
            return details
        } catch GatewayClientError.refused(404, _, _) {
            return nil
        }
    }

    private func metadata(ofFileAt url: String) async throws -> JSONObject {
        // The path of the URL is `/files/APPLICATION/NAME`, after the mount point of the API.
        guard let files = url.range(of: "/files/"), let end = url[files.upperBound...].firstIndex(of: "/") else {
            return [:]
        }
        let path = url[..<end] + "/metadata" + url[end...].prefix { $0 != "?" }
        return try await client.call(.get, String(path.dropFirst(client.url.count)))
    }

    /// Stores the content of a file under its name. Needs the master key.
    /// - Parameters:
    ///   - details: the details of the file, as `content(of:into:)` returns them.
    ///   - isDryRun: whether the gateway only checks the file.
    /// - Returns: whether the gateway did not have the file before.
    package func importContent(
        _ path: String, named name: String, details: JSONObject, isDryRun: Bool = false
    ) async throws -> Bool {
        var headers: HTTPFields = [:]
        for (member, header) in [("metadata", HTTPField.Name.parseFileMetadata), ("tags", .parseFileTags)] {
            headers[header] = details[member].map { Self.asciiText($0) }
        }
        headers[.contentType] = details["contentType"]?.string
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let segments = name.split(separator: "/").map { PercentCoding.encodedPathSegment(String($0)) }
        let lines = AnswerLines { _ in }
        try await client.transfer(
            .put, "/import/files/\(segments.joined(separator: "/"))\(isDryRun ? "?dryRun=true" : "")",
            accept: "application/json",
            file: HTTPClientRequest.BodyFile(path: path, size: size), key: nil, headers: headers
        ) { lines.take($0) && lines.take(CollectionOfOne(UInt8(ascii: "\n"))) }
        return lines.last?["made"] == true
    }

    /// The JSON text of a value in ASCII, for a header.
    private static func asciiText(_ value: JSONValue) -> String {
        value.jsonText.utf16.map { unit in
            guard unit > 0x7F else { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func path(
        _ route: String, _ className: String?, _ parameters: [(name: String, value: String)]
    ) -> String {
        let query = parameters.map { "\($0.name)=\(PercentCoding.encodedPathSegment($0.value))" }
        return route + (className.map { "/" + PercentCoding.encodedPathSegment($0) } ?? "")
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

/// Reads the lines of an answer in NDJSON.
private final class AnswerLines: @unchecked Sendable {
    // The transport calls `take` from one thread at a time, and the result is read after the last call.
    private var rest: [UInt8] = []
    private let each: @Sendable (JSONObject) -> Void
    /// The last complete line that is no progress.
    private(set) var last: JSONObject?

    init(each: @escaping @Sendable (JSONObject) -> Void) { self.each = each }

    func take(_ piece: some Sequence<UInt8>) -> Bool {
        for byte in piece {
            guard byte == UInt8(ascii: "\n") else {
                rest.append(byte)
                continue
            }
            if let object = try? JSONReader.read(rest).object {
                each(object)
                if object["progress"] == nil { last = object }
            }
            rest.removeAll(keepingCapacity: true)
        }
        return rest.count < 16 << 20
    }
}
