import ParseModel

/// Answers to an ambiguous create: which remote object did the create produce, if any?
enum AmbiguousCreate {
    /// - Parameters:
    ///   - keep: `applied` or `sendAgain`.
    ///   - named: the id of the remote object; nil if the answer does not name one.
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

    /// The id of the remote object that an answer refers to.
    /// - Parameter named: the id in the answer. A client may have copied the object's own id there from an earlier read.
    /// - Returns: nil if neither the answer nor the conflict names a remote object.
    static func chosenId(_ named: String?, of life: ObjectLife) -> String? {
        guard let candidate = life.conflict?.candidate else { return named }
        return named == nil || named == life.objectId ? candidate.objectId : named
    }

    /// Handles the answer "not applied": the create was not executed, or the shown candidate is a different object.
    private static func refuseCandidate(_ candidate: RemoteRecord?, at index: Int, _ transition: inout Transition) {
        if let candidate, candidate.objectId != transition.life.objectId {
            transition.showCopy(candidate)
            guard transition.life.steps[index].isUnsentRecreate else {
                // There may be other candidates. The next proof looks for them before the create is sent again.
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
        // A new object that was deleted locally needs no further request.
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

    /// Handles the answer "applied": the create produced the shown or the named remote object.
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
        // Only the sent values are known of the object.
        Request.acknowledge(
            at: index, Acknowledgement(objectId: remoteId, createdAt: nil, updatedAt: nil, echoed: JSONObject()),
            &transition)
    }

    /// Binds the object to its remote row and completes the create. Remote changes since the create are merged with
    /// later local changes by the class's policy.
    private static func bind(at index: Int, to record: RemoteRecord, _ transition: inout Transition) {
        let sent = transition.life.steps[index]
        let isOwnId = record.objectId == transition.life.objectId
        let other = transition.context.other.flatMap { $0.objectId == record.objectId ? $0 : nil }
        let copy = isOwnId ? transition.life : other
        let row =
            copy?.base.map { RemoteRecord(className: record.className, objectId: record.objectId, state: $0) } ?? record
        defer { transition.emit(.candidateTaken) }
        if sent.isUnsentRecreate { return Recreation.takeOver(at: index, row, &transition) }
        transition.life.dropProvenStep(at: index, transition.context)
        transition.life.base = Request.state(proven: sent.step, on: nil, by: row)
        transition.life.baseIsProvisional = false
        if !isOwnId { RemoteId.adopt(row.objectId, keepsBase: copy?.steps.isEmpty ?? true, &transition) }
        Recreation.meet(row, &transition)
    }

    /// Searches for candidates again, because another object has adopted this candidate.
    static func reopen(_ transition: inout Transition) {
        guard transition.openKind == .ambiguousCreate,
            let index = transition.life.steps.firstIndex(where: { $0.step.kind == .create })
        else { return }
        transition.close("superseded", showsCopy: false)
        transition.life.steps[index].step.phase = .unknown
    }
}
