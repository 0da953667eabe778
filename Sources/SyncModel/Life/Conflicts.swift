import ParseModel

/// The subject of a disagreement between this gateway and the remote.
package enum ConflictKind: String, Sendable, Hashable {
    /// Both changed the same fields.
    case fields
    /// Edited here, deleted there.
    case deletedRemotely
    /// Deleted here, edited there.
    case deletedLocally
    /// A create of unknown outcome has several candidates.
    case ambiguousCreate
    /// The outcome of a sent change cannot be proven.
    case wasThisApplied

    /// It asks about the outcome of a request.
    package var isAboutOwnRequest: Bool { self == .wasThisApplied || self == .ambiguousCreate }

    /// The choice that an answer without `keep` makes, so that its values are set over the remote's state; nil where the remote
    /// has no object.
    var choiceBesideAnObject: String? {
        switch self {
        case .fields, .deletedLocally: "remote"
        case .wasThisApplied, .ambiguousCreate: "applied"
        case .deletedRemotely: nil
        }
    }

    /// The error for a choice that a conflict of this kind does not offer.
    func refusal(of keep: String?) -> ParseError {
        ParseError(
            .invalidQuery, "a conflict of kind \(rawValue) cannot be decided by keeping \(keep ?? "an object")")
    }
}

/// A conflict that waits for a decision.
package struct OpenConflict: Sendable, Hashable {
    package var kind: ConflictKind
    /// The remote's object that the conflict shows; under another id for a create of unknown outcome.
    package var candidate: RemoteRecord?

    package init(kind: ConflictKind, candidate: RemoteRecord? = nil) {
        self.kind = kind
        self.candidate = candidate
    }
}

/// A conflict as it is found, or as a policy has resolved it.
package struct ConflictRecord: Sendable, Hashable {
    package let kind: ConflictKind
    /// The fields that both sides changed.
    package let fields: [String]
    package let base: ObjectState?
    package let local: ObjectState?
    package let remote: ObjectState?
    /// The remote object's id; nil where it is the object's own.
    package var remoteId: String?
    /// Ids of further objects of the remote that the object may be.
    package var candidates: [String] = []
    /// The side that the class's policy has chosen; nil opens the conflict.
    package var resolution: Side?
}

/// The side whose state wins a conflict.
package enum Side: String, Sendable, Hashable { case local, remote }
