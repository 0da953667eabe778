import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The synced classes and their options. Each phase of a sync reads them once, at its start.
struct SyncClasses: Sendable {
    private let byName: [String: SyncClass]

    init(_ classes: [SyncClass]) { byName = Dictionary(uniqueKeysWithValues: classes.map { ($0.name, $0) }) }

    /// All classes, ordered by name.
    var sorted: [SyncClass] { byName.values.sorted { $0.name < $1.name } }

    subscript(className: String) -> SyncClass? { byName[className] }

    func options(of className: String) -> ClassOptions { byName[className]?.options ?? ClassOptions() }

    /// Whether the row is a tombstone, or is marked as deleted by the `deletedField` of its class.
    func isDeleted(_ record: RemoteRecord) -> Bool {
        record.isDeleted || options(of: record.className).deletedField.map { record.fields[$0]?.isTrue == true } == true
    }
}

extension JSONValue {
    /// Whether the value counts as true in JavaScript: all values except false, 0, the empty string and null.
    fileprivate var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .number(let number): number != JSONNumber(0)
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }
}
