import ParseModel

/// Applies a user's answer to a conflict of kind `ambiguousCreate`. The outcome of a create is unknown, and the user says which
/// remote object the create produced, if any.
enum AmbiguousCreate {
    /// Closes a conflict of kind `ambiguousCreate` and applies the user's answer.
    /// - Parameters:
    ///   - keep: `applied` if the create was executed, `sendAgain` if it was not.
    ///   - named: the `objectId` in the user's answer; nil for none.
    static func answer(keep: String, named: String?, _ transition: inout Transition) throws {
        let candidate = transition.life.conflict?.candidate
        transition.close(keep, showsCopy: false)
        guard let index = transition.life.steps.firstIndex(where: { $0.step.kind == .create }) else { return }
        switch keep {
        case "applied": try adoptCandidate(candidate, at: index, named: named, &transition)
        case "sendAgain": refuseCandidate(candidate, at: index, &transition)
        default: throw ConflictKind.ambiguousCreate.refusal(of: keep)
        }
    }

    /// The id of the remote object that a user's answer chooses as the result of the create.
    /// - Parameter named: the `objectId` in the answer; nil for none. If the conflict shows a candidate (a remote
    ///   object that may be the result), an answer without an id or with the local object's id chooses the candidate.
    /// - Returns: nil if the answer has no id and the conflict shows no candidate.
    static func chosenId(_ named: String?, of life: ObjectLife) -> String? {
        guard let candidate = life.conflict?.candidate else { return named }
        return named == nil || named == life.objectId ? candidate.objectId : named
    }

    /// Handles the answer `sendAgain`: the user says that the create was not executed, or that the candidate (the
    /// remote object in the conflict) is not its result.
    private static func refuseCandidate(_ candidate: RemoteRecord?, at index: Int, _ transition: inout Transition) {
        transition.life.steps[index].step.restoration = .none
        if let candidate, candidate.objectId != transition.life.objectId {
            transition.showCopy(candidate)
            guard transition.life.steps[index].isUnsentRecreate else {
                // The next sync searches the remote for other possible results before it sends the create again.
                transition.life.steps[index].step.phase = .unknown
                return
            }
            if transition.life.endsInDelete {
                transition.life.steps = []
            } else {
                transition.life.steps[index].step.wasAttempted = false
            }
            return
        }
        // A new object that was deleted locally needs neither its create nor its deletion on the remote.
        if transition.life.endsInDelete {
            transition.life.steps = []
            return
        }
        guard candidate != nil else { return }
        transition.life.steps[index].step.wasAttempted = false
        transition.life.steps[index].attempts = 0
        transition.life.steps[index].attemptedAt = nil
        transition.life.steps[index].markedIn = nil
        Pulled.adoptCreate(.foreign, &transition)
    }

    /// Handles the answer `applied`: the user says that the create produced the candidate (the remote object in the
    /// conflict), or the object that the answer names.
    private static func adoptCandidate(
        _ candidate: RemoteRecord?, at index: Int, named: String?, _ transition: inout Transition
    ) throws {
        let (life, context) = (transition.life, transition.context)
        let isOwnId = named == life.objectId
        if let candidate, named == nil || isOwnId || named == candidate.objectId {
            return bind(at: index, to: candidate, &transition)
        }
        transition.showCopy(candidate)
        let ownId = context.acceptsChosenIds ?? isOwnId ? life.objectId : nil
        guard let remoteId = isOwnId || named == nil ? ownId : named else {
            throw ParseError(
                .invalidQuery,
                #"the remote's object cannot be read: "applied" needs its id, as {"object": {"objectId": …}}"#)
        }
        if !isOwnId, let known = context.other?.base, context.other?.objectId == remoteId {
            let record = RemoteRecord(className: life.className, objectId: remoteId, state: known)
            return bind(at: index, to: record, &transition)
        }
        if remoteId != life.objectId, context.otherIsUnknown { throw LifeError.unknownObject(remoteId) }
        transition.emit(.mayMatchNoPull)
        // No row of the remote object is known, so the values that were sent become the base, the last known remote
        // state.
        Request.acknowledge(
            at: index, Acknowledgement(objectId: remoteId, createdAt: nil, updatedAt: nil, echoed: JSONObject()),
            &transition)
    }

    /// Takes `record` as the result of the create, and completes the create. Remote changes since the create are merged with
    /// later local changes by the class's policy.
    private static func bind(at index: Int, to record: RemoteRecord, _ transition: inout Transition) {
        let sent = transition.life.steps[index]
        let isOwnId = record.objectId == transition.life.objectId
        let other = transition.context.other.flatMap { $0.objectId == record.objectId ? $0 : nil }
        let copy = isOwnId ? transition.life : other
        let row =
            copy?.base.map { RemoteRecord(className: record.className, objectId: record.objectId, state: $0) } ?? record
        defer { transition.emit(.candidateTaken) }
        // Another replica may have created the deleted object again. The object of that replica lacks the changes of
        // this replica.
        if sent.step.isRecreate { return Recreation.takeOver(at: index, row, &transition) }
        transition.life.dropProvenStep(at: index, transition.context)
        transition.life.base = Request.state(proven: sent.step, on: nil, by: row)
        transition.life.baseIsProvisional = false
        if !isOwnId { RemoteId.adopt(row.objectId, keepsBase: copy?.steps.isEmpty ?? true, &transition) }
        Recreation.meet(row, &transition)
    }

    /// Closes an `ambiguousCreate` conflict after another local object has adopted the remote object that the conflict
    /// shows. The next sync searches for other possible results of the create.
    static func reopen(_ transition: inout Transition) {
        guard transition.openKind == .ambiguousCreate,
            let index = transition.life.steps.firstIndex(where: { $0.step.kind == .create })
        else { return }
        transition.close("superseded", showsCopy: false)
        transition.life.steps[index].step.phase = .unknown
    }
}
