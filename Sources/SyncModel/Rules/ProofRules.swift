import ParseModel

/// Whether the remote's present row proves what became of a request. Pure.
package enum ProofRules {
    package enum Verdict: Sendable, Hashable {
        case applied
        /// Not seen, and doing it twice does no harm.
        case mayBeSentAgain
        /// The row has not changed since: the request has not been carried out, or not yet.
        case notApplied
        /// The row has changed, by us or by others.
        case unprovable
        /// The object has been deleted here since.
        case moot
    }

    /// - Parameter mark: whether the row has the id of the operation; nil where there are no such ids.
    package static func judge(_ entry: OutboxEntry, against record: RemoteRecord, mark: Bool? = nil) -> Verdict {
        if entry.isFollowedByDelete { return .moot }
        if entry.step.operations.isIdempotent {
            return holds(record, what: entry) ? .applied : .mayBeSentAgain
        }
        if let mark { return mark ? .applied : .notApplied }
        if let version = record.version { return version == entry.base?.version ? .notApplied : .unprovable }
        // A Parse Server bumps updatedAt with every write.
        return record.updatedAt == entry.base?.updatedAt ? .notApplied : .unprovable
    }

    /// Whether the row has every field as the entry set it; a deleted field is absent.
    package static func holds(_ record: RemoteRecord, what entry: OutboxEntry) -> Bool {
        entry.step.operations.areHeld(
            by: record.fields, over: entry.step.kind == .create ? nil : entry.base, of: entry.className)
    }
}
