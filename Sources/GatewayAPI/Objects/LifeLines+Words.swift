import ParseModel
import StoreService
import SyncModel

// The words of the lines about an object's life.

extension SyncAuthor {
    var words: String {
        switch self {
        case .gateway: "a client of this gateway"
        case .public: "a client without a session"
        case .user(let id): "the user \(id)"
        }
    }
}

extension ObjectHistory.Step {
    /// The change as the subject of a sentence: `The update of date, name`.
    var words: String {
        switch change.kind {
        case .create: "The create"
        case .update: fields.isEmpty ? "The update" : "The update of \(fields.sorted().joined(separator: ", "))"
        case .delete: "The deletion"
        }
    }
}

extension ObjectHistory.Conflict {
    /// The subject of the conflict as a sentence.
    var words: String {
        switch kind {
        case .fields: "both sides changed \(fields.isEmpty ? "the object" : fields.joined(separator: ", "))."
        case .deletedRemotely: "it was edited here and deleted on the remote."
        case .deletedLocally: "it was deleted here and edited on the remote."
        case .ambiguousCreate: "its create got no clear answer, and remote objects may be the result."
        case .wasThisApplied: "a change got no clear answer, and no read proves whether the remote carried it out."
        }
    }
}

extension ObjectHistory.Removal {
    /// The reason of the removal as a sentence.
    var words: String {
        switch RemovalReason(rawValue: reason) {
        case .tooMany: "It is missing on the remote, together with so many objects that a deletion is implausible."
        case .restoredBackup: "It is missing or older on the remote, which was probably restored from a backup."
        case .neverShown: "The remote acknowledged its create, never showed it, and now reports that it does not exist."
        case nil: "It is missing on the remote."
        }
    }
}
