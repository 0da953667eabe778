import ParseModel

/// An event that is being applied to an object: the object's new state, and the effects so far.
struct Transition {
    var life: ObjectLife
    let context: LifeContext
    var outcome = LifeOutcome()

    /// The remote state that a read has found, with the local states from before the read.
    struct RemoteUpdate {
        /// The remote's state; nil if the remote does not have the object.
        let remote: ObjectState?
        let base: ObjectState?
        let local: ObjectState?
    }

    var openKind: ConflictKind? { life.conflict?.kind }
    /// The author of the object's first pending step. Without steps, the author in whose name the event happens.
    var stepAuthor: AuthorKey { life.steps.first?.step.author ?? context.author }

    mutating func emit(_ effect: LifeEffect) { outcome.effects.append(effect) }

    // MARK: Conflicts

    /// Opens a conflict, or records a conflict that needs no decision by a user (`resolution`).
    /// - Parameter author: the author whose change is in question; nil for the author in whose name the event happens.
    mutating func record(
        _ kind: ConflictKind, by author: AuthorKey? = nil, fields: [String] = [], base: ObjectState?,
        local: ObjectState?, remote: ObjectState?,
        remoteId: String? = nil, candidates: [String] = [], resolution: Side? = nil
    ) {
        emit(
            .conflictFound(
                ConflictRecord(
                    kind: kind, author: author ?? context.author, fields: fields, base: base, local: local,
                    remote: remote, remoteId: remoteId, candidates: candidates, resolution: resolution)))
        guard resolution == nil else { return }
        life.conflict = OpenConflict(
            kind: kind, candidate: candidate(remote, remoteId), fields: fields, base: base)
    }

    /// Records a local deletion under a user's session that the remote has answered as if the object did not exist. The
    /// object may still exist, if the user may not read it.
    mutating func recordUnseenDeletion(_ deletion: PendingStep) {
        guard context.reader != nil, let base = life.base, !life.isUnshown else { return }
        record(.deletedLocally, by: deletion.author, base: base, local: nil, remote: nil, resolution: .remote)
    }

    mutating func changeConflict(fields: [String], remote: ObjectState?) {
        emit(.conflictChanged(fields: fields, remote: remote))
        let shown = candidate(remote, nil)
        life.conflict?.candidate = shown
        for field in fields where life.conflict?.fields.contains(field) == false { life.conflict?.fields.append(field) }
    }

    private func candidate(_ state: ObjectState?, _ id: String?) -> RemoteRecord? {
        state.map { RemoteRecord(className: life.className, objectId: id ?? life.objectId, state: $0) }
    }

    /// Closes the open conflict. Changes that waited for the decision become pending.
    /// - Parameter showsCopy: whether clients see the conflict's remote object again, which the conflict may have
    ///   hidden.
    mutating func close(_ resolution: String, showsCopy: Bool = true) {
        guard life.state == .conflict else { return }
        let candidate = life.conflict?.candidate
        emit(.conflictClosed(resolution: resolution))
        life.conflict = nil
        for index in life.steps.indices where life.steps[index].step.phase == .held {
            life.steps[index].step.phase = .pending
        }
        if showsCopy { showCopy(candidate) }
    }

    mutating func showCopy(_ candidate: RemoteRecord?) {
        guard let candidate, candidate.objectId != life.objectId else { return }
        emit(.copyShown(objectId: candidate.objectId))
    }
}
