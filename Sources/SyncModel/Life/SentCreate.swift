import ParseModel

/// A create that was sent, and the rules that tell its object from another client's object with the same id. Pure.
package struct SentCreate: Sendable, Hashable {
    /// Whose a row with the create's id is.
    package enum Verdict: Sendable, Hashable {
        /// The create made it; others may have edited it since.
        case own
        /// Another client made it.
        case foreign
        /// The row tells neither.
        case unprovable
    }

    /// The id of the operation, and the array field that the request left it in.
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
    /// Server time of the first attempt; nil before.
    package let attemptedAt: ParseDate?
    /// Nil where the request left no id behind.
    package let mark: Mark?

    /// How much earlier than its request a row may be stamped: a remote may have several servers, with clocks of their own.
    private static let stampTolerance = Duration.seconds(10)

    package init(className: String, step: PendingStep, attemptedAt: ParseDate?, mark: Mark?) {
        self.className = className
        self.step = step
        self.attemptedAt = attemptedAt
        self.mark = mark
    }

    /// - Parameter row: the row that the remote has under the create's id.
    package func verdict(on row: RemoteRecord) -> Verdict {
        guard step.wasAttempted else { return .foreign }
        // The id was made here, and nothing but this create has ever named it.
        guard step.mayBeTaken else { return .own }
        // A row that holds the values from before the correction is edited like another client's.
        if step.isCorrected { return holds(row.fields) ? .own : .foreign }
        if isMarked(row) || holds(row.fields) { return .own }
        if mark != nil { return .foreign }
        if let attemptedAt, row.createdAt + Self.stampTolerance < attemptedAt { return .foreign }
        return .unprovable
    }

    /// Whether the row has the id of the create's operation.
    private func isMarked(_ row: RemoteRecord) -> Bool {
        guard let mark else { return false }
        return row.operationMarks.contains(mark.id) || row.fields[mark.field]?.array?.contains(.string(mark.id)) == true
    }

    /// Whether a row has every field as the create set it; a deleted field is absent.
    package func holds(_ fields: JSONObject) -> Bool {
        step.operations.areHeld(by: fields, over: nil, of: className)
    }
}

extension FieldOperations {
    /// Whether a row has every field as the operations leave it.
    /// - Parameter base: the state that they were made on.
    package func areHeld(by row: JSONObject, over base: ObjectState?, of className: String) -> Bool {
        let step = PendingStep(
            kind: base == nil ? .create : .update, operations: self,
            madeAt: base?.updatedAt ?? ParseDate(milliseconds: 0))
        let intended = Replay.view(base: base, steps: [step], className: className)
        return fields.allSatisfy { field in (row[field] ?? .null).isSameOnRemote(as: intended?.fields[field] ?? .null) }
    }
}

extension JSONValue {
    /// Whether a remote that was given the one value may show the other: it adds the address to a file, and decides on it.
    package func isSameOnRemote(as other: JSONValue) -> Bool {
        if case .object(let a) = self, case .object(let b) = other, a["__type"] == "File", b["__type"] == "File" {
            return a["name"] == b["name"]
        }
        return self == other
    }
}
