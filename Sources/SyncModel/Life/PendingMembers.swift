import ParseModel

/// The members that an object's pending steps add to its relations and remove from them. `Replay` computes the other
/// fields.
package struct PendingMembers: Sendable, Hashable {
    /// A member of one of the object's relations.
    package struct Member: Sendable, Hashable {
        package let field: String
        package let pointer: Pointer

        package init(field: String, pointer: Pointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// Whether the members on the remote do not count, because the remote does not have the object or a pending step
    /// deletes it.
    package private(set) var ignoresBase: Bool
    /// The members that the steps add (true) or remove (false).
    package private(set) var decided: [Member: Bool] = [:]

    /// Computes which members the steps add and remove.
    /// - Parameter hasBase: whether the remote is known to have the object.
    package init(steps: [PendingStep], hasBase: Bool) {
        ignoresBase = !hasBase
        var isThere = hasBase
        for step in steps {
            switch step.kind {
            case .delete:
                if step.phase == .held { continue }
                isThere = false
                ignoresBase = true
                decided = [:]
            case .create, .update:
                if !isThere, step.kind == .update { continue }
                isThere = true
                decide(by: step.operations)
            }
        }
    }

    private mutating func decide(by operations: FieldOperations) {
        for (field, change) in operations.relationChanges {
            let member = { Member(field: field, pointer: Pointer(className: change.memberClass, objectId: $0)) }
            for id in change.added { decided[member(id)] = true }
            for id in change.removed { decided[member(id)] = false }
        }
    }

    /// Whether the relation has the member, with the pending steps applied.
    /// - Parameter inBase: whether the relation has the member on the remote.
    package func isMember(_ member: Member, inBase: Bool) -> Bool { decided[member] ?? (inBase && !ignoresBase) }
}
