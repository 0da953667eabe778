import ParseModel
import RemoteService
import StoreService

/// The sync state of a replica.
package struct SyncReport: Sendable {
    package var status: SyncStatus
    package var figures: SyncFigures

    package init(status: SyncStatus, figures: SyncFigures) {
        self.status = status
        self.figures = figures
    }

    /// The answer of `GET /sync`.
    /// - Parameters:
    ///   - remote: the remote to show; nil only in tests.
    ///   - fileBytesMax: the largest accepted upload, in bytes.
    func json(remote: APIConfiguration.Remote?, fileBytesMax: Int) -> JSONObject {
        let pulled = figures.classes.filter(\.isPulled)
        return [
            "mode": "replica",
            "remote": remote.map { .object($0.json) } ?? .null,
            "state": .string(status.state.rawValue),
            "online": .bool(status.isOnline),
            // A class that the remote refuses to list counts as complete. Its entry in `classes` names the reason.
            "initialSyncComplete": .bool(pulled.allSatisfy { $0.initialSyncComplete || $0.refusal != nil }),
            "lastSyncAt": figures.lastSyncAt.map { .string($0.iso) } ?? .null,
            "lastError": status.lastError.map {
                ["message": .string($0), "kind": status.lastErrorKind.map(JSONValue.string) ?? .null]
            } ?? .null,
            "circuit": .object(status.circuit.json),
            "pushPaused": status.pushPausedBecause.map { ["reason": .string($0)] } ?? .null,
            "pending": .int(figures.pending),
            "rejections": .int(figures.rejections),
            "conflicts": .int(figures.conflicts),
            "removals": .int(figures.removals),
            "progress": status.progress.map { .object($0.json) } ?? .null,
            "lastSummary": status.lastSummary.map { .object($0.json) } ?? .null,
            "classes": .array(figures.classes.map { .object($0.json) }),
            "fileBytesMax": .int(fileBytesMax),
        ]
    }
}

extension SyncStatus.Circuit {
    fileprivate var json: JSONObject {
        [
            "state": .string(state.rawValue), "failures": .int(failures),
            "retryAt": retryAt.map { .string($0.iso) } ?? .null,
        ]
    }
}

extension SyncProgress {
    var json: JSONObject {
        [
            "phase": .string(phase.rawValue), "class": className.map(JSONValue.string) ?? .null, "done": .int(done),
            "total": total.map { .int($0) } ?? .null,
        ]
    }
}
