import ParseModel

/// Computes the state of an object that clients read, by applying its pending steps to the last known remote state.
package enum Replay {
    /// The state of an object that clients read.
    ///
    /// Never fails. An operation that does not fit the current value has no effect, for example after the remote has
    /// changed the type of the field. The remote will refuse such an operation. A deletion that waits in a conflict
    /// does not hide the object.
    /// - Returns: nil if the object is deleted or was never created.
    package static func view(base: ObjectState?, steps: [PendingStep], className: String) -> ObjectState? {
        var view = base
        for step in steps {
            switch step.kind {
            case .delete:
                if step.phase != .held { view = nil }
            case .create, .update:
                if view == nil, step.kind == .update { continue }
                var state =
                    view ?? ObjectState(createdAt: step.madeAt, updatedAt: step.madeAt, fields: JSONObject())
                for field in step.operations.fields {
                    guard let operation = step.operations[field] else { continue }
                    do {
                        state.fields[field] = try operation.apply(
                            to: state.fields[field], field: field, className: className)
                    } catch {
                        continue
                    }
                }
                state.updatedAt = step.editedAt
                view = state
            }
        }
        return view
    }
}
