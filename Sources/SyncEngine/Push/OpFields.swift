import ParseModel
import RemoteService
import SyncModel

/// Decides which changes leave an operation id, the id of the change, in the `opField` of their row. A remote may
/// refuse this field, because the class does not accept new fields or the field has another type. The refused change is
/// then sent once more without the field. If the second request succeeds, the field was the reason.
struct OpFields {
    /// The error codes with which a remote may refuse the `opField`.
    private static let refusals: Set<Int> = [
        ParseError.Code.invalidFieldName.rawValue, ParseError.Code.incorrectType.rawValue,
        ParseError.Code.operationForbidden.rawValue,
    ]

    /// The entries that are sent once more without the `opField`: by entry id, the message with which the remote refused the
    /// first request.
    private var unmarked: [Int64: String] = [:]
    /// The classes whose `opField` the remote has refused in this sync.
    private var refusedClasses: Set<String> = []

    /// The field in which the request for the change may add or remove operation ids, the ids of executed changes; nil
    /// if it must do neither.
    func field(of entry: OutboxEntry, _ context: SyncContext) -> String? {
        unmarked[entry.id] == nil ? field(of: entry.className, context) : nil
    }

    /// The entry with a new `markedIn`: the field in which the request will leave the operation id (the id of the
    /// change); nil if it will leave none.
    func marked(_ entry: OutboxEntry, _ context: SyncContext) -> OutboxEntry {
        var entry = entry
        // An earlier request of this create left no operation id, and may have created the object. A row without an
        // operation id would then prove nothing, so this request leaves none either.
        if entry.step.kind == .create, entry.step.wasAttempted, entry.markedIn == nil { return entry }
        entry.markedIn = field(of: entry, context).flatMap {
            OperationIds(context, entry.className).marks(entry, in: $0) ? $0 : nil
        }
        return entry
    }

    /// The `opField` of the class. Nil if the class has none, if the remote keeps no operation ids, and if the remote
    /// has refused the field.
    private func field(of className: String, _ context: SyncContext) -> String? {
        let options = context.classes.options(of: className)
        guard context.remote.capabilities(of: className).operationIds != .none, options.opFieldRefusal == nil,
            !refusedClasses.contains(className)
        else { return nil }
        return options.opField
    }

    /// Handles a refused change.
    /// - Returns: whether to send the change once more, without the `opField`. True if the refused request wrote this field, and
    ///   the error code is in `refusals`.
    mutating func isSentWithoutField(
        _ entry: OutboxEntry, code: Int, message: String, _ context: SyncContext
    ) -> Bool {
        let operationIds = OperationIds(context, entry.className)
        guard Self.refusals.contains(code), let field = field(of: entry, context),
            entry.step.operations[field] == nil, operationIds.marked(entry, in: field)[field] != nil
        else {
            unmarked[entry.id] = nil
            return false
        }
        unmarked[entry.id] = message
        return true
    }

    /// Handles an accepted change. If the change was sent a second time, without the `opField`, its success shows that
    /// the remote refuses this field. From then on, requests for this class leave no operation ids.
    mutating func noteAccepted(_ entry: OutboxEntry, _ context: SyncContext) async throws(SyncError) {
        let className = entry.className
        guard let message = unmarked.removeValue(forKey: entry.id), let field = field(of: className, context) else {
            return
        }
        try await context.store { try await $0.noteRefusal(ofOpField: field, of: className, message) }
        context.reporter.warn(
            "\(className) is synced without its opField \(field), which the remote refuses: \(message)")
        refusedClasses.insert(className)
    }
}
