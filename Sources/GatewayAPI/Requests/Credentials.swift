import Foundation
import HTTPTypes
import HeaderNames
import ParseModel

/// A kind of Parse client. Each kind sends its key in a header of its own.
package enum ClientKind: Sendable, Hashable {
    /// Scripts: `X-Parse-REST-API-Key`.
    case rest
    /// Web pages and Node: `X-Parse-Javascript-Key`.
    case javaScript
    /// Apps for phones and desktops: `X-Parse-Client-Key`.
    case client
    /// Programs on .NET: `X-Parse-Windows-Key`.
    case dotNET
}

/// The keys, ids and tokens in a request. Parse clients send them in headers, by HTTP Basic authentication, or in the
/// body.
///
/// Nothing is verified here. A header takes precedence over a body member, as in Parse Server (`handleParseHeaders` in
/// `middlewares.js`). Unlike in Parse Server, a body member with a credential never becomes a field of the object.
struct Credentials: Sendable, Hashable {
    var applicationId: String?
    var masterKey: String?
    /// The REST, JavaScript, client, .NET and maintenance keys that the client has sent.
    var clientKeys: [OfferedKey] = []
    /// The values sent as Tidegate's access key: in its own header, or as `Bearer` token.
    var accessKeys: [String] = []
    var sessionToken: String?
    var installationId: String?
    /// The SDK and its version, for example `js5.2.0`. Only the remote uses this text, in forwarded requests.
    var clientVersion: String?
    /// `1` if a client requests a revocable session token.
    var revocableSession: String?
    /// The client's request id, which makes a write idempotent.
    var requestId: String?
    /// The context for cloud code: the JSON text of an object. Without the member `tidegate`, which is for this gateway.
    var context: String?
    /// The client's wish about the remote in the context; nil for none.
    var preference: RemotePreference?

    /// A client key or a maintenance key that the client has sent.
    struct OfferedKey: Sendable, Hashable {
        /// Nil for the maintenance key.
        let kind: ClientKind?
        let text: String
    }

    /// All keys of the request. Each of them may be this gateway's access key, because some clients can only send one of Parse's
    /// keys.
    var keys: [String] { accessKeys + clientKeys.map(\.text) + (masterKey.map { [$0] } ?? []) }

    /// The values sent as the maintenance key.
    var maintenanceKeys: [String] { clientKeys.filter { $0.kind == nil }.map(\.text) }

    /// The body members that SDKs send in place of headers and of the method.
    private static let bodyNames: Set<String> = [
        "_JavaScriptKey", "_ClientKey", "_RESTAPIKey", "_MasterKey", "_MaintenanceKey", "_ApplicationId",
        "_SessionToken", "_InstallationId", "_ClientVersion", "_RevocableSession", "_context", "_ContentType",
        "_method",
        "_noBody",
    ]

    /// The body members that Parse Server refuses if they are not strings.
    private static let textNames = ["_SessionToken", "_MasterKey", "_InstallationId", "_ContentType"]

    /// The credentials in the headers.
    /// - Throws: `APIError.malformedContext`, `APIError.malformedPreference`.
    init(_ headers: HTTPFields) throws(APIError) {
        for field in headers where field.name.canonicalName.utf8.first.map(Self.begins) == true {
            switch field.name {
            case .parseApplicationId: applicationId = field.value
            case .parseSessionToken: sessionToken = field.value.nonEmpty
            case .parseMasterKey: masterKey = field.value
            case .parseRESTKey: offer(field.value, as: .rest)
            case .parseJavaScriptKey: offer(field.value, as: .javaScript)
            case .parseClientKey: offer(field.value, as: .client)
            case .parseWindowsKey: offer(field.value, as: .dotNET)
            case .parseMaintenanceKey: offer(field.value, as: nil)
            case .tidegateAccessKey: accessKeys.append(field.value)
            case .authorization: addAuthorization(field.value)
            case .parseInstallationId: installationId = field.value
            case .parseClientVersion: clientVersion = field.value
            case .parseRevocableSession: revocableSession = field.value
            case .parseRequestId: requestId = field.value.nonEmpty
            // As on Parse Server, an empty header counts as none.
            case .parseCloudContext where !field.value.isEmpty: try take(context: .string(field.value))
            default: break
            }
        }
    }

    /// Whether a header whose name begins with this letter may contain a credential: only `x-…` headers and `authorization` do.
    private static func begins(_ letter: UInt8) -> Bool { letter == UInt8(ascii: "x") || letter == UInt8(ascii: "a") }

    /// Adds the credentials of a body to those of the headers. Client keys of both are kept. For any other credential, the header
    /// takes precedence.
    /// - Returns: the body without the members in `bodyNames`, and the value of `_method`; nil without one.
    /// - Throws: `APIError.unauthorized` for a credential that is not a string, `APIError.malformedContext`,
    ///   `APIError.malformedPreference`.
    mutating func take(from body: JSONObject) throws(APIError) -> (rest: JSONObject, method: String?) {
        guard body.contains(where: { $0.key.hasPrefix("_") && Self.bodyNames.contains($0.key) }) else {
            return (body, nil)
        }
        for name in Self.textNames {
            if let value = body[name], !value.isNull, value.string == nil { throw .unauthorized }
        }
        func text(_ name: String) -> String? { body[name]?.string?.nonEmpty }
        applicationId = applicationId ?? text("_ApplicationId")
        masterKey = masterKey ?? text("_MasterKey")
        let keys: [(String, ClientKind?)] = [
            ("_JavaScriptKey", .javaScript), ("_ClientKey", .client), ("_RESTAPIKey", .rest), ("_MaintenanceKey", nil),
        ]
        for (name, kind) in keys { if let key = text(name) { offer(key, as: kind) } }
        sessionToken = sessionToken ?? text("_SessionToken")
        installationId = installationId ?? text("_InstallationId")
        clientVersion = clientVersion ?? text("_ClientVersion")
        revocableSession = revocableSession ?? body["_RevocableSession"].flatMap { $0.string ?? $0.jsonText }
        if context == nil, preference == nil, let given = body["_context"] { try take(context: given) }
        var rest = body
        rest.removeAll { Self.bodyNames.contains($0) }
        return (rest, text("_method"))
    }

    private mutating func offer(_ key: String, as kind: ClientKind?) {
        clientKeys.append(OfferedKey(kind: kind, text: key))
    }

    /// Parses `Authorization`. `Bearer` carries the access key. `Basic` follows Parse: the user is the application id. The
    /// password is a master key, or a JavaScript key if `javascript-key=` precedes it. As in Parse, a `Basic` value without
    /// exactly one colon is ignored.
    private mutating func addAuthorization(_ value: String) {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return }
        switch parts[0].lowercased() {
        case "bearer": accessKeys.append(String(parts[1]))
        case "basic":
            guard let data = Data(base64Encoded: String(parts[1]), options: .ignoreUnknownCharacters) else { return }
            let words = String(decoding: data, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 2 else { return }
            applicationId = String(words[0])
            let (password, prefix) = (words[1], "javascript-key=")
            if password.hasPrefix(prefix) {
                offer(String(password.dropFirst(prefix.count)), as: .javaScript)
            } else if !password.isEmpty {
                masterKey = String(password)
            }
        default: break
        }
    }

    private mutating func take(context value: JSONValue) throws(APIError) {
        let object =
            switch value {
            case .object(let object): object
            case .string(let text): (try? JSONReader.read(text))?.object
            default: nil as JSONObject?
            }
        guard var rest = object else { throw .malformedContext }
        preference = try RemotePreference(takingFrom: &rest)
        context = rest.isEmpty && object?.isEmpty == false ? nil : rest.jsonText
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
