import ParseModel
import RemoteService
import SyncModel

/// Decides which entries carry an operation id in the class's `opField`. The remote may refuse that field: the class
/// may be closed to new fields, or the field may have another type there. The change is then sent once more without the
/// field, and the answer shows whether the field was the reason.
struct OpFields {
    /// The error codes that the field alone can cause.
    private static let refusals: Set<Int> = [
        ParseError.Code.invalidFieldName.rawValue, ParseError.Code.incorrectType.rawValue,
        ParseError.Code.operationForbidden.rawValue,
    ]

    /// Changes that are sent once more without the field, with the remote's message.
    private var unmarked: [Int64: String] = [:]
    /// Classes whose field the remote has refused in this sync.
    private var refusedClasses: Set<String> = []

    /// The field to which the entry's request adds an id, or from which it removes ids; nil for none.
    func field(of entry: OutboxEntry, _ context: SyncContext) -> String? {
        unmarked[entry.id] == nil ? field(of: entry.className, context) : nil
    }

    /// The class's field; nil if the remote cannot keep operation ids in it or has refused it.
    private func field(of className: String, _ context: SyncContext) -> String? {
        let options = context.classes.options(of: className)
        guard context.remote.capabilities(of: className).keepsOperationIds, options.opFieldRefusal == nil,
            !refusedClasses.contains(className)
        else { return nil }
        return options.opField
    }

    /// Handles a refused change.
    /// - Returns: whether to send it once more, without the field.
    mutating func isSentWithoutField(
        _ entry: OutboxEntry, code: Int, message: String, _ context: SyncContext
    ) -> Bool {
        let operationIds = OperationIds(replicaId: context.options.replicaId)
        guard Self.refusals.contains(code), let field = field(of: entry, context),
            entry.step.operations[field] == nil, operationIds.marked(entry, in: field)[field] != nil
        else {
            unmarked[entry.id] = nil
            return false
        }
        unmarked[entry.id] = message
        return true
    }

    /// Handles an accepted change. If it was sent without the field after a refusal, the field was the reason.
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
