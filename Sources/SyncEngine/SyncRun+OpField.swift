import ParseModel
import RemoteService
import SyncModel

/// The field for ids of operations, where the remote may refuse it: a class may be closed to new fields, or the field may have
/// another type there.
extension SyncRun {
    /// Codes of refusals that the field alone may have caused.
    private static let refusals: Set<Int> = [
        ParseError.Code.invalidFieldName.rawValue, ParseError.Code.incorrectType.rawValue,
        ParseError.Code.operationForbidden.rawValue,
    ]

    /// The field in which the entry's request leaves an id behind, or takes some away; nil for none.
    func opField(of entry: OutboxEntry) -> String? { unmarked[entry.id] == nil ? opField(of: entry.className) : nil }

    /// The change is sent once more without the field: whether the refusal was about that, the next answer tells.
    /// - Returns: nil where the field was not part of it.
    mutating func settlementWithoutOpField(
        _ entry: OutboxEntry, code: Int, message: String, wasAttempted: Bool
    ) -> Settlement? {
        guard Self.refusals.contains(code), let opField = opField(of: entry), entry.step.operations[opField] == nil,
            operationIds.marked(entry, in: opField)[opField] != nil
        else { return nil }
        unmarked[entry.id] = message
        tried.remove(entry.id)
        return .notExecuted(wasAttempted: wasAttempted, error: message)
    }

    /// The remote has accepted a change without the field that it had refused with it: it does not accept the field.
    mutating func noteTaken(_ entry: OutboxEntry) async throws(SyncError) {
        guard let message = unmarked.removeValue(forKey: entry.id), let opField = opField(of: entry.className) else {
            return
        }
        let className = entry.className
        try await stored { try await $0.noteRefusal(ofOpField: opField, of: className, message) }
        warn("\(className) is synced without its opField \(opField), which the remote refuses: \(message)")
        try await readClasses()
    }
}
