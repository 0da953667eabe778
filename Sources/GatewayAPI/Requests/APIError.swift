import ParseModel

/// An error of the API itself. A request can also fail with a `ParseError`, whose codes are those of Parse, or with the store's
/// `StoreError`.
package enum APIError: Error, Sendable, Hashable {
    /// `Host` or `Origin` is not allowed.
    case forbidden(reason: String)
    /// A key or the application id is missing or wrong.
    case unauthorized
    /// The request requires the master key.
    case masterKeyRequired
    /// The request has one of the master keys, and its client's address is not allowed to use it.
    case masterKeyFromElsewhere
    /// The request has the read-only master key, and uploads or deletes a file. `message` is Parse Server's text.
    case readOnly(message: String)
    case noRoute
    /// The position belongs to the change feed of another user, or to a feed that no longer exists on this gateway.
    case foreignPosition
    /// The object is not in the state that the write requires. The associated values are the object's current state and tag.
    case stale(object: JSONObject, tag: String)
    /// The path does not begin with `/`, or contains an invalid escape or a NUL.
    case malformedPath
    /// The body is not JSON, or is nested too deeply.
    case malformedBody(reason: String)
    /// The request's context for cloud code is not a JSON object.
    case malformedContext
    /// The client's wish about the remote is malformed: the header `Prefer`, or the member `tidegate` of the context.
    case malformedPreference(reason: String)
    /// The remote has not taken a write, although its client has asked the remote to take it.
    case notTaken(NotTaken)
    /// The body is a form with too many parameters.
    case tooManyParameters
    /// The URL of a file names another application.
    case invalidApplicationId
    /// The body is compressed.
    case encodedBody
    case queryTooLong(bytesMax: Int)
    /// The upload is larger than `RequestLimits.fileBytesMax`.
    case fileTooLarge
    /// Too many requests wait for a read or for the remote, or too many answers are held in memory.
    case busy
    /// Too many passwords wait to be hashed or compared.
    case tooManyPasswords
    /// Too many change streams are open.
    case tooManyStreams(max: Int)
    /// `GET /ready` was asked before the gateway can serve clients.
    case notReady(reason: String)
    /// The answer needs the remote, which is unreachable or must not be asked now, for example because syncing is paused.
    case remoteUnreachable(reason: String)
    /// The remote gave no answer to a forwarded request or to the download of a file, but may have received the request.
    case remoteSilent(reason: String)
    /// The answer to a forwarded request is incomplete, or not in the form of a Parse Server's answer. The remote may
    /// have executed the request.
    case remoteUnusable(reason: String)
    /// The remote refused the gateway's keys, in a sync for whose end the client waits, or in a query that was sent on
    /// to the remote.
    case remoteUnauthorized(reason: String)
    /// A request is not forwarded, because `ahead` earlier local writes have not reached the remote.
    case queuedWrites(ahead: Int, reason: String)
    /// The gateway must not download a file from the file's URL, for example because its host has a private address.
    case fileForbidden(reason: String)
    case syncPaused
    /// The client waits for the end of a sync, and the sync failed with an error of the local store.
    case syncFailed(reason: String)
}

extension APIError: CustomStringConvertible {
    /// A one-line description for users.
    package var description: String {
        switch self {
        case .notTaken(let write): write.message
        case .forbidden(let reason), .malformedBody(let reason), .malformedPreference(let reason),
            .remoteUnreachable(let reason),
            .remoteSilent(let reason), .remoteUnusable(let reason),
            .remoteUnauthorized(let reason), .syncFailed(let reason):
            reason
        case .queuedWrites(_, let reason), .fileForbidden(let reason), .notReady(let reason): reason
        case .unauthorized: "a key or the application id is missing or wrong"
        case .masterKeyRequired: "the request requires the master key"
        case .masterKeyFromElsewhere: "the master key is not accepted from this address"
        case .readOnly(let message): message
        case .noRoute: "no route matches the path"
        case .foreignPosition: "the position belongs to the change feed of another user"
        case .stale: "the object has changed since the state that the write is based on"
        case .malformedPath: "the path is malformed"
        case .malformedContext: "the context is not a JSON object"
        case .tooManyParameters: "the form has too many parameters"
        case .invalidApplicationId: "the address names another application"
        case .encodedBody: "the body is compressed"
        case .queryTooLong(let bytesMax): "the query is longer than \(bytesMax) bytes"
        case .fileTooLarge: "the file is too large"
        case .busy: "too many reads are waiting, or too many answers are held in memory"
        case .tooManyPasswords: "too many passwords wait to be hashed or compared"
        case .tooManyStreams(let max): "\(max) change streams are open"
        case .syncPaused: "syncing is paused"
        }
    }
}
