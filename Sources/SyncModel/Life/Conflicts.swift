import ParseModel

/// The subject of a conflict between local and remote changes.
package enum ConflictKind: String, Sendable, Hashable {
    /// Both sides changed the same fields.
    case fields
    /// Edited locally, deleted remotely.
    case deletedRemotely
    /// Deleted locally, edited remotely.
    case deletedLocally
    /// A create was sent without a clear answer, and a user must say which remote object it produced, if any.
    case ambiguousCreate
    /// A change was sent without a clear answer, and no read can prove whether the remote executed it.
    case wasThisApplied

    /// Whether the conflict is about the outcome of a request, instead of different values on both sides.
    package var concernsOutcome: Bool { self == .wasThisApplied || self == .ambiguousCreate }

    /// The decision (`keep`) that applies if a user answers with corrected values alone: the remote state, or `applied`
    /// for a request of unknown outcome. The values are then set on top of this state. Nil after a remote deletion,
    /// because there is no remote state.
    var choiceWithCorrection: String? {
        switch self {
        case .fields, .deletedLocally: "remote"
        case .wasThisApplied, .ambiguousCreate: "applied"
        case .deletedRemotely: nil
        }
    }

    /// The error for a choice that this kind of conflict does not offer.
    func refusal(of keep: String?) -> ParseError {
        ParseError(
            .invalidQuery, "a conflict of kind \(rawValue) cannot be decided by keeping \(keep ?? "an object")")
    }
}

/// A conflict that waits for a decision.
package struct OpenConflict: Sendable, Hashable {
    package var kind: ConflictKind
    /// The remote object that the conflict shows; nil if there is none. In a conflict about a create, the remote object may have
    /// another id than the local object.
    package var candidate: RemoteRecord?
    /// The fields that both sides changed. Empty if one side deleted the object, and in a conflict about the outcome of
    /// a request.
    package var fields: [String]
    /// The last remote state before the change of the remote; nil if there was none.
    package var base: ObjectState?

    package init(
        kind: ConflictKind, candidate: RemoteRecord? = nil, fields: [String] = [], base: ObjectState? = nil
    ) {
        self.kind = kind
        self.candidate = candidate
        self.fields = fields
        self.base = base
    }
}

/// A record of a conflict that has just been found. It may already be resolved, for example by the class's policy.
package struct ConflictRecord: Sendable, Hashable {
    package let kind: ConflictKind
    /// The author whose change is in question.
    package let author: AuthorKey
    /// The fields that both sides changed, or that a sent change of unknown outcome sets. Empty if one side deleted the
    /// object.
    package let fields: [String]
    package let base: ObjectState?
    package let local: ObjectState?
    package let remote: ObjectState?
    /// The remote object's id, which may equal the local object's id. Nil if both ids are equal, or if there is no
    /// remote object.
    package var remoteId: String?
    /// In a conflict about a create: the ids of further remote objects that the create may have produced.
    package var candidates: [String] = []
    /// The side that won without a user's decision, for example by the class's policy; nil for an open conflict.
    package var resolution: Side?
}

/// The side whose state wins a conflict.
package enum Side: String, Sendable, Hashable { case local, remote }
