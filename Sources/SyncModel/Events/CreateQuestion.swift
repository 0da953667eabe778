import ParseModel

/// Answers to the question which object of the remote a create has made.
enum CreateQuestion {
    /// - Parameters:
    ///   - keep: `applied` or `sendAgain`.
    ///   - named: the id of the remote's object, where the answer gives one.
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

    /// The id of the remote's object that an answer means; nil where the answer names none and the conflict shows none.
    /// - Parameter named: the id that the answer gives. The object's own id may merely have been read.
    static func chosenId(_ named: String?, of life: ObjectLife) -> String? {
        guard let candidate = life.conflict?.candidate else { return named }
        return named == nil || named == life.objectId ? candidate.objectId : named
    }

    /// The create was not carried out, or the object that the conflict shows is another one.
    private static func refuseCandidate(_ candidate: RemoteRecord?, at index: Int, _ transition: inout Transition) {
        if let candidate, candidate.objectId != transition.life.objectId {
            transition.showCopy(candidate)
            guard transition.life.steps[index].isUnsentRemake else {
                // There may be other candidates: the next proof looks for them before anything is sent.
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
        // After its deletion nothing of a new object is left to send.
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

    /// The create was carried out: its object is the one that the conflict shows, or the one that is named.
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
        transition.demand(.mayStray)
        // All that is known of it is what was sent.
        Request.acknowledge(
            at: index, Acknowledgement(objectId: remoteId, createdAt: nil, updatedAt: nil, echoed: JSONObject()),
            &transition)
    }

    /// The remote's object is this one, and the create is done. Others' later changes of the object meet the later changes here by
    /// the class's policy.
    private static func bind(at index: Int, to record: RemoteRecord, _ transition: inout Transition) {
        let sent = transition.life.steps[index]
        let isOwnId = record.objectId == transition.life.objectId
        let other = transition.context.other.flatMap { $0.objectId == record.objectId ? $0 : nil }
        let copy = isOwnId ? transition.life : other
        let row =
            copy?.base.map { RemoteRecord(className: record.className, objectId: record.objectId, state: $0) } ?? record
        defer { transition.demand(.candidateTaken) }
        if sent.isUnsentRemake { return Remake.takeOver(at: index, row, &transition) }
        transition.life.dropProvenStep(at: index, transition.context)
        transition.life.base = Request.state(proven: sent.step, on: nil, by: row)
        transition.life.baseIsProvisional = false
        if !isOwnId { RemoteId.adopt(row.objectId, keepsBase: copy?.steps.isEmpty ?? true, &transition) }
        Remake.meet(row, &transition)
    }

    /// The candidate was given to another object: the create is looked for anew.
    static func reopen(_ transition: inout Transition) {
        guard transition.openKind == .ambiguousCreate,
            let index = transition.life.steps.firstIndex(where: { $0.step.kind == .create })
        else { return }
        transition.close("superseded", showsCopy: false)
        transition.life.steps[index].step.phase = .unknown
    }
}
