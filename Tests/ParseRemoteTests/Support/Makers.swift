import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService

@testable import ParseRemote

extension ParseRemote {
    static func make(
        _ transport: any HTTPTransport, serverURL: String = "http://127.0.0.1:1337/parse", masterKey: String? = nil,
        batchMax: Int = 50, pageSize: Int = 1000
    ) -> ParseRemote {
        ParseRemote(
            configuration: Configuration(
                serverURL: serverURL, applicationId: "app", restKey: "rest", masterKey: masterKey,
                replicaId: "replica-1", batchMax: batchMax, pageSize: pageSize),
            transport: transport)
    }
}

extension PushOperation {
    static func make(
        _ kind: Kind, _ objectId: String = "xqMK7l1wCE", _ operations: JSONObject = [:], className: String = "Holiday",
        sendsObjectId: Bool = false
    ) -> PushOperation {
        PushOperation(
            kind: kind, className: className, objectId: objectId, operations: FieldOperations(stored: operations),
            sendsObjectId: sendsObjectId, base: nil, merged: nil, wasAttempted: false, requestId: "request-\(objectId)")
    }
}

extension HTTPClientRequest {
    var json: JSONValue? { try? JSONReader.read(body) }

    /// The URL up to its query.
    var path: String { String(url.prefix { $0 != "?" }) }

    /// The decoded query parameters, with `where` as JSON.
    var query: JSONObject {
        guard let mark = url.firstIndex(of: "?") else { return [:] }
        let pairs = url[url.index(after: mark)...].split(separator: "&").map { pair -> (String, JSONValue) in
            let parts = pair.split(separator: "=", maxSplits: 1)
            let value = parts.last.flatMap { String($0).removingPercentEncoding } ?? ""
            return (String(parts[0]), parts[0] == "where" ? (try? JSONReader.read(value)) ?? .null : .string(value))
        }
        return JSONObject(pairs)
    }

    /// The headers by their lower-case names.
    var headerTexts: [String: String] {
        Dictionary(headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension RemoteError {
    /// A word for each kind of error, for tables of expectations.
    var word: String {
        switch self {
        case .unreachable: "unreachable"
        case .interrupted: "interrupted"
        case .overloaded(let after, _): "overloaded" + (after.map { " \($0.components.seconds)" } ?? "")
        case .faulty(let status, _): "faulty \(status)"
        case .failed(let status, _): "failed \(status)"
        case .misaddressed(let status, _): "misaddressed \(status)"
        case .tooMuch: "tooMuch"
        case .unauthorized: "unauthorized"
        case .classUnauthorized: "classUnauthorized"
        case .refused(let code, _): "refused \(code)"
        }
    }

    var text: String {
        switch self {
        case .unreachable(let text), .interrupted(let text), .overloaded(_, let text), .faulty(_, let text),
            .failed(_, let text), .misaddressed(_, let text), .tooMuch(let text), .unauthorized(let text),
            .classUnauthorized(let text), .refused(_, let text):
            text
        }
    }
}

extension PushOutcome {
    /// A word for each kind of outcome, for tables of expectations.
    var word: String {
        switch self {
        case .applied: "applied"
        case .duplicate: "duplicate"
        case .gone: "gone"
        case .conflict: "conflict"
        case .refused(let code, _): "refused \(code)"
        case .refusedForNow(let code, _): "refused \(code) for now"
        case .unauthorized: "unauthorized"
        case .classUnauthorized: "classUnauthorized"
        case .retry(let after, _): "retry" + (after.map { " \($0.components.seconds)" } ?? "")
        case .unknown: "unknown"
        }
    }
}

/// The error of a call as a word; "fine" if it throws none.
func word(_ call: () async throws(RemoteError) -> Void) async -> String {
    do {
        try await call()
        return "fine"
    } catch {
        return error.word
    }
}
