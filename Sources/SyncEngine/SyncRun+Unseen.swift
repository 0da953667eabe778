import ParseModel
import RemoteService
import StoreService

/// Writes that the remote has acknowledged and does not show. Lists may come from a replica that lags behind, a trigger may
/// have set an ACL, or the server has lost the write after all. So an object stays, and is looked for in some syncs; then it
/// is hidden, which costs no further look. Where the remote should show it, a person is asked.
extension SyncRun {
    /// How many such objects of a class are looked after in one sync.
    private static let unseenMax = 500
    /// How many are asked for by id in one sync.
    private static let askedMax = 20

    mutating func settleUnseen() async throws(SyncError) {
        for className in try await stored({ try await $0.classesWithUnseenWrites() }).union(unseen.keys).sorted() {
            do {
                try await settleUnseen(of: className)
            } catch {
                guard error.isOfOneClass else { throw error }
                if case .unusable = error {
                    warn("Objects of \(className) that were sent cannot be read: \(error.message)")
                }
            }
        }
    }

    private mutating func settleUnseen(of className: String) async throws(SyncError) {
        let older = (unseen[className] ?? []).sorted()
        let isListed = try await isListed(className)
        // Where permissions keep us from listing the class, no sync ever shows an object of it.
        let isForbidden = classes[className]?.pulls.contains { $0.refusal != nil } == true
        guard isListed || isForbidden || !older.isEmpty else { return }
        let now = try await serverNow()
        var objects = try await stored { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        // Older rows come in no later pull: they are asked for until they are new, or it is over.
        let edited = objects.filter { $0.standing == .acknowledged }.map(\.objectId)
        let again = edited.filter { !older.contains($0) }
        if !again.isEmpty { try await applyNews(try await askedFor(again, of: className), of: className) }
        let looked = objects.filter { $0.standing == .unshown && (isListed || isForbidden) }.map(\.objectId)
        let noted = looked + Set(older).union(unseen[className] ?? []).sorted()
        if !noted.isEmpty {
            try await stored { try await $0.noteLooks(at: noted, of: className, at: now) }
        }
        objects = try await stored { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        let circumstances = rowCircumstances
        let due = objects.filter { $0.standing == .unshown && OlderRowRules.isOver($0, circumstances) }
        for object in due.prefix(Self.askedMax) { try await settle(unshown: object, of: className, isListed: isListed) }
    }

    /// Whether this sync would have shown an object of the class: by pulls that are complete, or by reading it by name.
    private func isListed(_ className: String) async throws(SyncError) -> Bool {
        guard let syncClass = classes[className], syncClass.isPulled else {
            return confirmedClasses.contains(className)
        }
        return syncClass.pulls.allSatisfy { completePulls[syncClass.id(of: $0.pull)] != nil }
    }

    private mutating func settle(
        unshown object: KnownObject, of className: String, isListed: Bool
    ) async throws(SyncError) {
        let mayBeRead = object.isPublic || remote.capabilities.seesEverything
        let id = object.objectId
        if mayBeRead {
            do {
                let row = try await asked { remote throws(RemoteError) in try await remote.object(className, id) }
                if let row, !isDeleted(row) {
                    try await applyNews([row], of: className)
                    return
                }
                if isListed {
                    logger.warning("\(className) \(id) was acknowledged and is not there, held back until confirmed")
                    try await stored {
                        try await $0.holdLost([LostObject(objectId: id)], of: className, because: .neverShown)
                    }
                }
            } catch .refused {
                // An object that may not be asked for by its id may be there all the same.
            }
        }
        try await stored { try await $0.hide([id], of: className) }
        if !mayBeRead { logger.info("\(className) \(id) was sent, and an ACL keeps it from this gateway") }
    }
}
