import ParseModel

/// Why the API itself refused or could not carry out a request. A request's content fails with `ParseError`,
/// the store with `StoreError`.
package enum APIError: Error, Sendable, Hashable {
    /// `Host` or `Origin` is foreign.
    case forbidden(reason: String)
    /// A key or the application id is missing or wrong.
    case unauthorized
    /// The request needs the master key.
    case masterKeyRequired
    case noRoute
    /// The object that a write was made for is in another state: this one, with the tag.
    case stale(object: JSONObject, tag: String)
    /// The path holds a broken escape or a NUL.
    case malformedPath
    /// The body is not JSON, or nested too deeply.
    case malformedBody(reason: String)
    /// The request's context for cloud code is not a JSON object.
    case malformedContext
    /// The body is a form of more parameters than one may have.
    case tooManyParameters
    /// The address of a file names another application.
    case invalidApplicationId
    /// The body is compressed.
    case encodedBody
    case queryTooLong(bytesMax: Int)
    /// The file is larger than may be uploaded.
    case fileTooLarge
    /// Too many reads wait, or too many answers are held.
    case busy
    /// Too many streams of changes are open.
    case tooManyStreams(max: Int)
    /// The remote was not reached, by a sync that was waited for or by a call that only it can answer.
    case remoteUnreachable(reason: String)
    /// The remote was asked, and gave no answer that could be handed on.
    case remoteSilent(reason: String)
    /// A sync that was waited for was refused its keys by the remote.
    case remoteUnauthorized(reason: String)
    /// Writes of this gateway have to reach the remote before the call, and have not.
    case queuedWrites(ahead: Int, reason: String)
    /// Files are not fetched from the file's address.
    case fileForbidden(reason: String)
    case syncPaused
    /// A sync that was waited for failed here.
    case syncFailed(reason: String)
}

extension APIError: CustomStringConvertible {
    /// One line for a person.
    package var description: String {
        switch self {
        case .forbidden(let reason), .malformedBody(let reason), .remoteUnreachable(let reason),
            .remoteSilent(let reason),
            .remoteUnauthorized(let reason), .syncFailed(let reason):
            reason
        case .queuedWrites(_, let reason), .fileForbidden(let reason): reason
        case .unauthorized: "a key or the application id is missing or wrong"
        case .masterKeyRequired: "only the master key may do this"
        case .noRoute: "there is no such path"
        case .stale: "the object has changed since the state that a change was made for"
        case .malformedPath: "the path is malformed"
        case .malformedContext: "the context is no JSON object"
        case .tooManyParameters: "the form has too many parameters"
        case .invalidApplicationId: "the address names another application"
        case .encodedBody: "the body is compressed"
        case .queryTooLong(let bytesMax): "the query is longer than \(bytesMax) bytes"
        case .fileTooLarge: "the file is too large"
        case .busy: "too many reads wait, or too many answers are held"
        case .tooManyStreams(let max): "\(max) streams of changes are open"
        case .syncPaused: "syncing is paused"
        }
    }
}
