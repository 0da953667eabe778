import ParseModel
import StoreService

/// Replaces pointers by their objects (`include`) in one answer.
final class IncludedObjects {
    private let store: any ObjectStore
    private let principal: Principal
    private let coverage: StoreCoverage
    private var known: [Pointer: (object: JSONObject, bytes: Int)?] = [:]
    private var kept: Set<String>?
    private var count = 0
    /// The maximum number of included objects in one answer. An object that is included twice counts twice.
    private static let countMax = 100_000
    /// The total size in bytes that further included objects may have.
    private var bytesLeft: Int
    /// The memory in bytes that further parsed objects may take. They are kept until the end of the answer.
    private var memoryLeft: Int
    private let checkPulled: Check
    private let read: Read

    /// Throws if the read needs objects of a class whose first sync may not be complete.
    typealias Check = @Sendable (_ className: String) throws -> Void

    /// Reads an object by its id, with the checks of a request for it.
    typealias Read = (_ className: String, _ objectId: String) throws -> StoredObject?

    /// - Parameters:
    ///   - read: reads an included object.
    ///   - bytesMax: the largest total size in bytes of the included objects. An object that is included twice counts twice.
    ///   - checkPulled: throws if a missing object may be missing only because its class is not pulled completely yet.
    init(
        store: any ObjectStore, principal: Principal, coverage: StoreCoverage, bytesMax: Int,
        checkPulled: @escaping Check, read: Read? = nil
    ) {
        self.read = read ?? { try store.object($0, $1, as: principal) }
        bytesLeft = bytesMax
        // Small values take several times the length of their text.
        memoryLeft = 4 * bytesMax
        self.checkPulled = checkPulled
        self.store = store
        self.principal = principal
        self.coverage = coverage
    }

    /// The selected fields of an object, with included objects in place of pointers.
    /// - Throws: `ParseError` 116 (object too large) if the includes exceed a limit.
    func shown(_ object: JSONObject, _ selection: FieldSelection) throws -> JSONObject {
        try includingBelow(selection.selected(from: object), selection)
    }

    private func includingBelow(_ object: JSONObject, _ selection: FieldSelection) throws -> JSONObject {
        guard !selection.includes.isEmpty else { return object }
        var shown = JSONObject()
        for (name, value) in object {
            shown[name] = try selection.below(name, value).map { try including(value, $0) } ?? value
        }
        return shown
    }

    /// The value with included objects in place of pointers. A pointer to a missing object stays if its class is not stored
    /// locally. If its class is stored, the result for this pointer is nil: as in Parse Server, the answer omits the pointer.
    private func including(_ value: JSONValue, _ selection: FieldSelection) throws -> JSONValue? {
        if let pointer = Pointer(value) {
            guard let object = try object(pointer) else {
                return try isKept(pointer.className) ? .none : .some(value)
            }
            var shown = try shown(object, selection)
            shown["__type"] = "Object"
            shown["className"] = .string(pointer.className)
            return .object(shown)
        }
        switch value {
        case .array(let elements): return .array(try elements.compactMap { try including($0, selection) })
        case .object(let object) where object["__type"] == nil:
            return .object(try includingBelow(object, selection))
        default: return value
        }
    }

    private func object(_ pointer: Pointer) throws -> JSONObject? {
        count += 1
        guard count <= Self.countMax else {
            throw ParseError(
                .objectTooLarge, "The answer includes more than \(Self.countMax) objects: request fewer.")
        }
        if let known = known[pointer] { return try known.map { try counted($0.object, $0.bytes) } }
        let stored = try stored(pointer)
        let object = try stored.flatMap { try document(of: $0, pointer.className) }
        memoryLeft -= object.map { JSONValue.object($0).memoryBytes } ?? 0
        guard memoryLeft >= 0 else { throw Self.tooLarge }
        known[pointer] = .some(object.map { ($0, stored?.json.count ?? 0) })
        return try object.map { try counted($0, stored?.json.count ?? 0) }
    }

    /// The object of a pointer; nil if the object is missing or damaged, or if the principal may not read it.
    /// - Throws: a refusal by the permissions of the class, or of a class that only the master key may read, as in
    ///   Parse Server; `AwaitedClass`.
    private func stored(_ pointer: Pointer) throws -> StoredObject? {
        if let refusal = AccessRules.refusal(of: .get, pointer.className, to: principal) { throw refusal }
        do {
            if let object = try read(pointer.className, pointer.objectId) { return object }
            if try isKept(pointer.className) { try checkPulled(pointer.className) }
            return nil
        } catch StoreError.damaged {
            return nil
        }
    }

    /// The parsed object; nil for a damaged object, which is reported to the store.
    private func document(of stored: StoredObject, _ className: String) throws -> JSONObject? {
        if var object = try? JSONReader.read(stored.json, depthMax: JSONReader.storedDepthMax).object {
            // As in Parse Server, an included user shows no sign-in data, not even to the same user.
            if className == "_User", !principal.readsEverything { object["authData"] = nil }
            return object
        }
        try store.noteDamage(in: className)
        return nil
    }

    private func counted(_ object: JSONObject, _ bytes: Int) throws -> JSONObject {
        bytesLeft -= bytes
        guard bytesLeft >= 0 else { throw Self.tooLarge }
        return object
    }

    private static let tooLarge = ParseError(
        .objectTooLarge, "The included objects are too large together: request fewer.")

    /// Whether the class is stored locally. If not, the answer keeps a pointer to a missing object, which may be on the remote.
    private func isKept(_ className: String) throws -> Bool {
        guard coverage == .keptClasses else { return true }
        let kept = try kept ?? Set(store.classNames())
        self.kept = kept
        return kept.contains(className)
    }
}
