import ParseModel

/// A pending create, and the rules that tell whether the create or another client has produced a row with the create's id.
package struct SentCreate: Sendable, Hashable {
    /// The origin of a row with the create's id.
    package enum Verdict: Sendable, Hashable {
        /// The create produced the row; other clients may have edited it since.
        case own
        /// Another client created the row.
        case foreign
        /// The row does not show which client created it.
        case unprovable
    }

    /// The operation id of a create (the id that proves in a row that the create was executed), and the array field in
    /// which the create's request left it.
    package struct Mark: Sendable, Hashable {
        package let field: String
        package let id: String

        package init(field: String, id: String) {
            self.field = field
            self.id = id
        }
    }

    package let className: String
    package let step: PendingStep
    /// The server time of the first attempt; nil before the first attempt.
    package let attemptedAt: ParseDate?
    /// The operation id that the latest request left in the row, with its field; nil if the request left none.
    package let mark: Mark?

    /// The maximum time by which a row's `createdAt` may precede the request that created the row. A remote may consist of
    /// several servers with different clocks.
    private static let stampTolerance = Duration.seconds(10)

    package init(className: String, step: PendingStep, attemptedAt: ParseDate?, mark: Mark?) {
        self.className = className
        self.step = step
        self.attemptedAt = attemptedAt
        self.mark = mark
    }

    /// Judges whether this create or another client has produced a row.
    /// - Parameter row: the remote row with the create's id.
    package func verdict(on row: RemoteRecord) -> Verdict {
        guard step.wasAttempted else { return .foreign }
        // Without `idMayBeTaken`, the gateway generated the id, and only this create has used it.
        guard step.idMayBeTaken else { return .own }
        // A row without the user's corrected values counts as created by another client, even if it has the values of
        // the first request.
        if step.isCorrected { return holds(row.fields) ? .own : .foreign }
        if isMarked(row) || holds(row.fields) { return .own }
        if mark != nil { return .foreign }
        if row.hasCreationTime, let attemptedAt, row.createdAt + Self.stampTolerance < attemptedAt { return .foreign }
        return .unprovable
    }

    /// Whether the create produced an object that another client has deleted since.
    /// - Parameter tombstone: the tombstone with the create's id. It keeps the `createdAt` of the object.
    package func hasProduced(_ tombstone: RemoteRecord) -> Bool {
        // A user's corrected values must not be lost with the deleted object, so the tombstone must contain them.
        guard step.wasAttempted, !step.isCorrected || holds(tombstone.fields) else { return false }
        if !step.idMayBeTaken || isMarked(tombstone) { return true }
        // The tombstone belongs to the object that the create replaces. If an undelete takes two requests, only the
        // first one may have been executed.
        if step.isRecreate, tombstone.createdAt == step.madeAt { return false }
        return tombstone.hasCreationTime && attemptedAt.map { tombstone.createdAt >= $0 } ?? false
    }

    /// Whether the row contains the operation id of the create, which proves that the create was executed.
    private func isMarked(_ row: RemoteRecord) -> Bool {
        guard let mark else { return false }
        return row.operationMarks.contains(mark.id) || row.fields[mark.field]?.array?.contains(.string(mark.id)) == true
    }

    /// Whether a row has the values that the create sets. A field that the create deletes must be absent or null.
    package func holds(_ fields: JSONObject) -> Bool {
        step.operations.areHeld(by: fields, over: nil, of: className)
    }
}

extension FieldOperations {
    /// Whether a row has, in every field that the operations change, the value that the operations produce.
    /// - Parameter base: the state that the operations are based on; nil for the operations of a create.
    package func areHeld(by row: JSONObject, over base: ObjectState?, of className: String) -> Bool {
        // `Replay` ignores the step's author, so any author serves.
        let step = PendingStep(
            kind: base == nil ? .create : .update, by: .gateway, operations: self,
            madeAt: base?.updatedAt ?? ParseDate(milliseconds: 0))
        let intended = Replay.view(base: base, steps: [step], className: className)
        return fields.allSatisfy { field in (row[field] ?? .null).isSameOnRemote(as: intended?.fields[field] ?? .null) }
    }
}

extension PendingStep {
    /// Whether the step is a create, and the row is its result without a later edit. The row's values count too: if
    /// another client has deleted the object and created it again, the new row also has no later edit.
    ///
    /// A row without a creation time does not tell whether it was edited. It counts as edited if it has a value in a
    /// field that the create did not set.
    func isUneditedResult(_ row: RemoteRecord) -> Bool {
        guard kind == .create, operations.areHeld(by: row.fields, over: nil, of: row.className) else { return false }
        guard !row.hasCreationTime else { return row.updatedAt == row.createdAt }
        return row.operationMarks.isEmpty
            && row.fields.allSatisfy { field, value in value.isNull || operations[field] != nil }
    }
}

extension JSONValue {
    /// Whether two values are equal. Files are compared by name alone, at any depth, because the remote may add a URL
    /// to a file or drop it.
    package func isSameOnRemote(as other: JSONValue) -> Bool {
        self == other || withoutFileURLs == other.withoutFileURLs
    }

    private var withoutFileURLs: JSONValue { replacingFiles(\.withoutURL) }
}
