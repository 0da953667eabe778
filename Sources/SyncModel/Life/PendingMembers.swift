import ParseModel

/// What an object's pending steps make of the members of its relations: the half of `Replay` that no field shows.
package struct PendingMembers: Sendable, Hashable {
    /// A place in one of the object's relations.
    package struct Member: Sendable, Hashable {
        package let field: String
        package let pointer: Pointer

        package init(field: String, pointer: Pointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// Whether the base's members are none of the view: the object is not there, or was deleted and made again.
    package private(set) var forgetsBase: Bool
    /// Whom the steps decide about, and whether they are members then.
    package private(set) var decided: [Member: Bool] = [:]

    /// - Parameter hasBase: whether the object has a base that the steps are replayed over.
    package init(steps: [PendingStep], hasBase: Bool) {
        forgetsBase = !hasBase
        var isThere = hasBase
        for step in steps {
            switch step.kind {
            case .delete:
                if step.phase == .held { continue }
                isThere = false
                forgetsBase = true
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

    /// Whether somebody is a member in the view.
    package func isMember(_ member: Member, inBase: Bool) -> Bool { decided[member] ?? (inBase && !forgetsBase) }
}
