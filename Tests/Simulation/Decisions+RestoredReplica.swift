import LocalStore
import ParseModel
import StoreService
import SyncModel

/// The answers of users who know which changes of a restored replica were sent after the backup.
extension Decisions {
    /// Whether the server has ever held a value that the change in question sets.
    func isSent(_ conflict: ListedConflict, of title: String, at replica: SimulatedReplica) -> Bool {
        guard conflict.kind == .wasThisApplied else { return false }
        let (base, local) = (object(conflict.base), object(conflict.local))
        let history = server.history.withLock { $0 }
        // The base of a later change of a restored object is the server's row. If the change was sent, the row has its
        // text in `log` already.
        let marks = local?["log"]?.array?.compactMap(\.string) ?? []
        if conflict.fields.contains("log"), local?["log"] == base?["log"],
            marks.allSatisfy({ history.hasHeld($0, in: "log", of: title) })
        {
            return true
        }
        return users.ledger.withLock { ledger in
            ServerHistory.setFields.contains { field in
                guard let value = local?[field]?.string, value != base?[field]?.string else { return false }
                return ledger.isSent(value, in: field, of: title, by: replica.name, history)
            }
        }
    }

    /// Answers a question about a create whose object the replica has not found on the server. If the server has the
    /// object, the user names it. If the server had the object, the user deletes it at the replica too.
    func decideRestoredCreate(
        _ conflict: ListedConflict, of title: String, at replica: SimulatedReplica, _ store: LocalStore
    ) async {
        let history = server.history.withLock { $0 }
        let ids = history.ids[title] ?? []
        let living = ids.first { id in
            (try? server.store.objects.object(conflict.className, id, as: .master)).flatMap { $0 } != nil
        }
        do {
            if let living {
                try await store.decisions.resolveConflict(
                    conflict.id, keep: "applied", fields: ["objectId": .string(living)], match: nil, as: .master)
                return trace.note("\(replica.name) names \(living) as \(title)")
            }
            if !ids.isEmpty {
                _ = try await store.objects.perform(
                    [.delete(className: conflict.className, objectId: conflict.objectId)], as: .master,
                    atomically: false
                )[0].get()
                users.ledger.withLock { $0.overrule(title, at: replica.name) }
            }
            try await store.decisions.resolveConflict(
                conflict.id, keep: "sendAgain", fields: nil, match: nil, as: .master)
            trace.note("\(replica.name) \(ids.isEmpty ? "sends" : "deletes") the restored \(title)")
        } catch {
            trace.note("\(replica.name) cannot decide about the restored \(title): \(error)")
        }
    }

    private func object(_ json: String?) -> JSONObject? { json.flatMap { try? JSONReader.read($0) }?.object }
}
