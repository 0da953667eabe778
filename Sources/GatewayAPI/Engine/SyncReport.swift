import ParseModel
import RemoteService
import StoreService

/// The sync state of a replica.
package struct SyncReport: Sendable {
    package var status: SyncStatus
    package var figures: SyncFigures
    /// The work of the caller that waits for a long time while the remote answers; nil for none.
    private var stall: Stall?
    /// The limits that the remote has named; nil for a kind of remote that names none.
    private let limits: RemoteLimits.Values?
    /// Whether each class has been pulled completely once. A class that the remote refuses to list counts as complete. Its entry in
    /// `classes` names the reason.
    let isInitialSyncComplete: Bool

    package init(
        status: SyncStatus, figures: SyncFigures, limits: RemoteLimits.Values? = nil, stall: Stall? = nil
    ) {
        self.status = status
        self.stall = stall
        self.limits = limits
        self.figures = figures
        isInitialSyncComplete = figures.classes.filter(\.isPulled).allSatisfy {
            $0.initialSyncComplete || $0.refusal != nil
        }
    }

    /// The report for a caller whom permissions restrict. It has no figures of the syncs, which are about all objects, and no failure of a
    /// change, which may be another user's.
    /// - Parameter objects: the classes that the caller may list, with the numbers of objects that the caller may read.
    func shown(_ objects: [String: Int]) -> SyncReport {
        var shown = self
        shown.figures.classes = figures.classes.compactMap { figures in
            objects[figures.name].map { figures.shown(objects: $0) }
        }
        shown.stall = stall?.shown(Set(objects.keys))
        shown.status.lastSummary = nil
        shown.status.listening?.refused.formIntersection(objects.keys)
        shown.status.progress = status.progress.map {
            SyncProgress(phase: $0.phase, className: nil, done: 0, total: nil)
        }
        if status.lastErrorKind == SyncStatus.failing {
            (shown.status.lastError, shown.status.lastErrorKind) = (nil, nil)
        }
        return shown
    }

    /// The answer of `GET /sync`.
    /// - Parameters:
    ///   - remote: the remote to show; nil only in tests.
    ///   - fileBytesMax: the largest accepted upload, in bytes.
    func json(remote: APIConfiguration.Remote?, fileBytesMax: Int) -> JSONObject {
        [
            "mode": "replica",
            "remote": remote.map { .object($0.json) } ?? .null,
            "state": .string(status.state.rawValue),
            "online": .bool(status.isOnline),
            "initialSyncComplete": .bool(isInitialSyncComplete),
            "lastSyncAt": figures.lastSyncAt.map { .string($0.iso) } ?? .null,
            "lastError": status.lastError.map {
                ["message": .string($0), "kind": status.lastErrorKind.map(JSONValue.string) ?? .null]
            } ?? .null,
            "circuit": .object(status.circuit.json),
            "nextSyncAt": status.nextSyncAt.map { .string($0.iso) } ?? .null,
            "listening": .object(status.listening?.json ?? ["state": "off"]),
            "pushPaused": status.pushPausedBecause.map { ["reason": .string($0)] } ?? .null,
            "pending": .int(figures.pending),
            "rejections": .int(figures.rejections),
            "conflicts": .int(figures.conflicts),
            "removals": .int(figures.removals),
            "stalled": stall.map { .object($0.json) } ?? .null,
            "progress": status.progress.map { .object($0.json) } ?? .null,
            "lastSummary": status.lastSummary.map { .object($0.json) } ?? .null,
            "classes": .array(figures.classes.map { .object($0.json) }),
            "remoteLimits": limits.map { .object($0.json) } ?? .null,
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

extension SyncStatus.Listening {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["state": .string(state.rawValue), "since": .string(since.iso)]
        json["way"] = way.map { .string($0.rawValue) }
        if state == .listening { json["refused"] = .array(refused.sorted().map(JSONValue.string)) }
        return json
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

extension SyncFigures.Class {
    /// The figures for a caller who may read some of the objects.
    fileprivate func shown(objects: Int) -> SyncFigures.Class {
        SyncFigures.Class(
            name: name, objects: objects, pending: pending, isPulled: isPulled,
            initialSyncComplete: initialSyncComplete, refusal: refusal, stoppedBecause: stoppedBecause)
    }
}
