import ParseModel

/// The parts of an object that decide who may read and write it.
extension ObjectLife {
    /// The object's state without the updates that the remote has rejected or that wait in a conflict. With them, a
    /// rejected change of the ACL would still give and take rights. Nil if clients see no state.
    package var rightsState: ObjectState? {
        guard var state = view, let base else { return view }
        for step in steps.lazy.map(\.step) where [.held, .rejected].contains(step.phase) && step.kind == .update {
            for field in step.operations.fields { state.fields[field] = base.fields[field] }
        }
        return state
    }
}

extension ObjectState {
    /// Whether the ACL lets everybody or the given user read the object. True without an ACL. The roles of the user do not count.
    /// - Parameter reader: the id of the user; nil for none.
    package func isReadable(by reader: String?) -> Bool {
        guard let acl = AccessControlList(fields["ACL"]) else { return true }
        return acl.isPublic || acl.readers.contains { entity in reader.map(entity.isExactly) == true }
    }

    /// Whether the ACL lets everybody or the given user write the object. True without an ACL. The roles of the user do not count.
    /// - Parameter writer: the id of the user; nil for none.
    package func isWritable(by writer: String?) -> Bool {
        guard let acl = AccessControlList(fields["ACL"]) else { return true }
        return acl.writers.contains { entity in entity == "*" || writer.map(entity.isExactly) == true }
    }
}
