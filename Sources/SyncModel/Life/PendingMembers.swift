import ParseModel

/// The effect of an object's pending steps on the members of its relations. `Replay` covers the fields.
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

    /// Whether the view ignores the members of the base, because the object has no base or a step deletes the object.
    package private(set) var ignoresBase: Bool
    /// The members that the steps add (true) or remove (false).
    package private(set) var decided: [Member: Bool] = [:]

    /// Computes the effect of the steps on the members.
    /// - Parameter hasBase: whether the object has a base.
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

    /// Whether the view contains the member.
    package func isMember(_ member: Member, inBase: Bool) -> Bool { decided[member] ?? (inBase && !ignoresBase) }
}
