import ParseModel

/// Pure functions that prove the outcome of a request from the current remote row.
package enum ProofRules {
    package enum Verdict: Sendable, Hashable {
        case applied
        /// The row does not show the change. The change is idempotent, so sending it again does no harm.
        case mayBeSentAgain
        /// The request was not executed before the read: the row lacks the operation id (the id of the change), or has
        /// not changed since the base, the last known remote state.
        case notApplied
        /// The request may have been executed: the row has changed since the last known remote state, by this request
        /// or by another client.
        case unprovable
        /// The object was deleted locally after the step, so the outcome is irrelevant.
        case moot
    }

    /// Judges whether the request for an outbox entry was executed.
    /// - Parameter mark: whether the row has the entry's operation id, the id of the change; nil if the request left
    ///   none.
    package static func judge(_ entry: OutboxEntry, against record: RemoteRecord, mark: Bool? = nil) -> Verdict {
        if entry.isFollowedByDelete { return .moot }
        if entry.step.restoration != .none { return judgeRestored(entry, against: record) }
        if entry.step.operations.isIdempotent {
            return holds(record, of: entry) ? .applied : .mayBeSentAgain
        }
        if let mark {
            if mark { return .applied }
            // Another client may have created the object again, with the values of this change but without its
            // operation id.
            return isRecreated(record, since: entry.base) ? .unprovable : .notApplied
        }
        return isUnchanged(record, since: entry.base) ? .notApplied : .unprovable
    }

    /// Judges a step of a restored backup. An idempotent step must not be sent again to a row that has changed: the
    /// step may have been sent after the backup, and the row may show a later edit of the same field. The row of a
    /// later request may also lack the operation id of the step.
    private static func judgeRestored(_ entry: OutboxEntry, against record: RemoteRecord) -> Verdict {
        if entry.step.operations.isIdempotent, holds(record, of: entry) { return .applied }
        let isUnchanged = entry.step.restoration == .first && isUnchanged(record, since: entry.base)
        return isUnchanged ? .notApplied : .unprovable
    }

    /// Whether the row is still the last known remote state. Without a version, `updatedAt` decides: Parse Server
    /// changes it with every write.
    private static func isUnchanged(_ record: RemoteRecord, since base: ObjectState?) -> Bool {
        if let version = record.version { return version == base?.version }
        return record.updatedAt == base?.updatedAt
    }

    /// Whether the row belongs to a later object with the same id: another client has deleted the object and created it again.
    private static func isRecreated(_ record: RemoteRecord, since base: ObjectState?) -> Bool {
        guard let base, record.hasCreationTime else { return false }
        return record.createdAt > base.createdAt
    }

    /// Whether the row has the values that the entry's step produces. A field that the step deletes must be absent or null.
    package static func holds(_ record: RemoteRecord, of entry: OutboxEntry) -> Bool {
        entry.step.operations.areHeld(
            by: record.fields, over: entry.step.kind == .create ? nil : entry.base, of: entry.className)
    }
}
