import HTTPServer
import ParseModel

/// The audit log. It records sign-ins, ends of sessions, and uses of the master key.
package protocol AuditTrail: Sendable {
    /// Records an event. Never fails, and does not wait for the disk.
    func note(_ event: AuditEvent)
}

/// An event of the audit log. It holds ids of users and addresses of clients, and no passwords, tokens or names.
package enum AuditEvent: Sendable, Hashable {
    /// Why a session has ended on this gateway.
    package enum SessionEnd: String, Sendable {
        case loggedOut, refused, expired
    }

    /// Why the data of a user was removed from this machine.
    package enum RemovalReason: String, Sendable {
        /// The maximum number of users was reached, and another user signed in.
        case evicted
        /// The person who runs the gateway has requested the removal.
        case forgotten
        /// The user has not used the gateway for the time of `--forget-after`.
        case unused
    }

    /// A user has logged in or signed up.
    /// - Parameter isOffline: whether the remote was not asked.
    case signIn(userId: String?, client: IPAddress, isOffline: Bool)
    /// A log-in or sign-up was refused.
    /// - Parameter code: the Parse error code of the answer.
    case signInRefused(code: Int?, client: IPAddress)
    case sessionEnded(userId: String, reason: SessionEnd)
    /// The gateway has sent the log-out of a session to the remote.
    /// - Parameter userId: nil if the session's user is not known here.
    case logOutSent(userId: String?)
    /// A request with the gateway's own master key or maintenance key may have changed something.
    /// - Parameter path: the path without the query. The pattern of the route if a parameter may be the name of a user.
    case masterKeyUsed(method: String, path: String, status: Int, client: IPAddress)
    /// An item of a batch may have changed something. The batch had the gateway's own master key or maintenance key.
    /// - Parameters:
    ///   - path: the path without the query.
    ///   - code: the Parse error code of the item's answer; nil for a success.
    case masterKeyUsedInBatch(method: String, path: String, code: Int?, client: IPAddress)
    /// The data of a user was removed from this machine.
    case spaceRemoved(userId: String, reason: RemovalReason)
    /// A change of a user without a session was sent with the remote's master key.
    case sentAsMaster(userId: String)
    /// The unsent data of a user was exported.
    /// - Parameter entries: the number of exported changes, decisions and files.
    case exported(userId: String, entries: Int)

    /// The maximum length of a recorded path, in characters. A longer path is cut.
    private static let pathMax = 500

    /// The event as JSON, with its kind in `event`. Absent values are left out.
    package var json: JSONObject {
        switch self {
        case .signIn(let userId, let client, let isOffline):
            Self.object(
                "signIn",
                [("user", userId.map(JSONValue.string)), ("client", client.json)]
                    + (isOffline ? [("offline", true)] : []))
        case .signInRefused(let code, let client):
            Self.object("signInRefused", [("code", code.map { .int($0) }), ("client", client.json)])
        case .sessionEnded(let userId, let reason):
            Self.object("sessionEnded", [("user", .string(userId)), ("reason", .string(reason.rawValue))])
        case .logOutSent(let userId): Self.object("logOutSent", [("user", userId.map(JSONValue.string))])
        case .masterKeyUsed(let method, let path, let status, let client):
            Self.masterKey(method, path, [("status", .int(status)), ("client", client.json)])
        case .masterKeyUsedInBatch(let method, let path, let code, let client):
            Self.masterKey(
                method, path, [("batch", true), ("code", code.map { .int($0) }), ("client", client.json)])
        case .spaceRemoved(let userId, let reason):
            Self.object("spaceRemoved", [("user", .string(userId)), ("reason", .string(reason.rawValue))])
        case .sentAsMaster(let userId): Self.object("sentAsMaster", [("user", .string(userId))])
        case .exported(let userId, let entries):
            Self.object("exported", [("user", .string(userId)), ("entries", .int(entries))])
        }
    }

    private static func masterKey(_ method: String, _ path: String, _ members: [(String, JSONValue?)]) -> JSONObject {
        object(
            "masterKeyUsed",
            [("method", .string(method)), ("path", .string(String(path.prefix(pathMax))))] + members)
    }

    private static func object(_ kind: String, _ members: [(String, JSONValue?)]) -> JSONObject {
        var object: JSONObject = ["event": .string(kind)]
        for (name, value) in members { object[name] = value }
        return object
    }
}

extension IPAddress {
    fileprivate var json: JSONValue { .string(description) }
}
