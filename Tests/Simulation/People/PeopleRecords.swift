import LocalStore
import ParseModel
import StoreService
import Synchronization

/// Records the titles of objects whose changes were refused or lost a conflict, and the users whose data was removed.
/// Also makes the users' decisions about these changes.
final class PeopleRecords: Sendable {
    private let titles = Mutex<Set<String>>([])
    /// A line for each change that was rejected because of its file. No server of these runs refuses a file.
    private let refusals = Mutex<[String]>([])
    /// The users whose changes were dropped, as `replica/userId`.
    private let forgotten = Mutex<Set<String>>([])

    func noteForgotten(_ userId: String, at replica: String) {
        forgotten.withLock { _ = $0.insert("\(replica)/\(userId)") }
    }

    func hasForgotten(_ userId: String, at replica: String) -> Bool {
        forgotten.withLock { $0.contains("\(replica)/\(userId)") }
    }

    var refusedFiles: [String] { refusals.withLock { $0 } }

    func has(_ title: String) -> Bool { titles.withLock { $0.contains(title) } }

    /// Records the rejections and conflicts of a store, and resolves the open ones in favour of the server.
    func decide(in store: LocalStore) async throws {
        for conflict in try store.decisions.conflicts(resolved: true, as: .master) {
            note([conflict.base, conflict.local, conflict.remote])
        }
        for conflict in try store.decisions.conflicts(resolved: false, as: .master) {
            note([conflict.base, conflict.local, conflict.remote])
            var keep = "remote"
            if [.wasThisApplied, .ambiguousCreate].contains(conflict.kind) {
                keep = Self.title(in: conflict.remote) == Self.title(in: conflict.local) ? "applied" : "sendAgain"
            }
            try await store.decisions.resolveConflict(conflict.id, keep: keep, fields: nil, match: nil, as: .master)
        }
        for rejection in try store.decisions.rejections(as: .master) {
            let object = try store.objects.object(rejection.className, rejection.objectId, as: .master)
            if rejection.code == ParseError.Code.fileSaveError.rawValue {
                refusals.withLock {
                    $0.append("\(rejection.className) \(rejection.objectId): \(rejection.error ?? "")")
                }
            }
            note([rejection.base, object.map { String(decoding: $0.json, as: UTF8.self) }])
            try await store.decisions.giveUpRejection(rejection.id, match: nil, as: .master)
        }
        for removal in try store.decisions.removals(as: .master) {
            try await store.decisions.confirmRemoval(removal.id, as: .master)
        }
    }

    private func note(_ states: [String?]) {
        let found = states.compactMap(Self.title)
        titles.withLock { $0.formUnion(found) }
    }

    private static func title(in state: String?) -> String? {
        state.flatMap { try? JSONReader.read($0).object }?["title"]?.string
    }
}
