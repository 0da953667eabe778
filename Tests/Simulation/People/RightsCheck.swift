import LocalStore
import ParseModel
import StoreService

/// Checks that each user of a site replica sees in lists and in the change feed exactly the objects that the ACLs
/// allow.
extension SimulatedReplica {
    func checkRights(of process: Process) {
        guard !hasEnded else { return }
        do {
            for userId in transport.server.users.ids {
                try check(UserRegister.principal(userId, in: process.store), process.store)
            }
        } catch {
            addFinding("the objects of a user cannot be read: \(error)")
        }
    }

    /// Checks that no change waits if its user has a session. A change may only wait for another change, for a decision
    /// about a removal, or until the remote shows the acknowledged state of its object. Called after syncs without
    /// faults.
    func checkQueues() async throws {
        guard let store = process?.store else { return }
        let removals = try store.decisions.removals(as: .master)
        var unseen: Set<String> = []
        for className in Self.classes {
            unseen.formUnion(
                try await store.sync(as: .gateway).unseenWrites(of: className, max: 10_000).map(\.objectId))
        }
        for userId in transport.server.users.ids where sessions.token(of: userId) != nil {
            let waiting = try await store.sync(as: .gateway).sending(for: .user(userId)).outbox(limit: 1000)
            for entry in waiting where entry.awaits.isEmpty && !unseen.contains(entry.objectId) {
                guard !removals.contains(where: { $0.concerns(entry.objectId, of: entry.className) }) else { continue }
                addFinding("a change of \(userId) to \(entry.objectId) waits, although the user has a session")
            }
        }
    }

    private func check(_ user: Principal, _ store: LocalStore) throws {
        let known = Set(try store.classes.remoteSchemas().map(\.className))
        for className in Self.classes where known.contains(className) {
            // The ACL of an object does not decide while a change of the object is rejected or in conflict.
            let all = try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects
                .filter { ![.conflict, .rejected].contains($0.state) }
            let counted = Set(all.map(\.objectId))
            let allowed = try all.filter { object in
                let acl = AccessControlList(try object.fields(of: className)["ACL"])
                return acl?.allowsReading(by: user) != false
            }
            let shown = try store.objects.find(className, ParseQuery(limit: 10_000), as: user).objects
                .filter { counted.contains($0.objectId) }
            if Set(shown.map(\.objectId)) != Set(allowed.map(\.objectId)) {
                addFinding(
                    "\(user.user?.objectId ?? "") is shown \(shown.map(\.objectId)) of \(className), and may read \(allowed.map(\.objectId))"
                )
            }
        }
    }
}

extension HeldRemoval {
    func concerns(_ objectId: String, of className: String) -> Bool {
        self.className == className && (objectIds.contains(objectId) || olderIds.contains(objectId))
    }
}
