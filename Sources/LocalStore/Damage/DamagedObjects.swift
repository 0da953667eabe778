import GRDB
import ParseModel
import StoreService
import Synchronization

/// The objects whose stored JSON is known to be damaged. Queries leave these objects out, so that one damaged row does not fail
/// every query of its class. A read of a damaged object by id throws `StoreError.damaged`.
final class DamagedObjects: Sendable {
    private let known = Mutex<[String: [FileFindings.DamagedObject]]>([:])
    private let onFound: @Sendable (_ objects: [FileFindings.DamagedObject]) -> Void

    /// - Parameter onFound: called with newly found damaged objects, from any thread.
    init(onFound: @escaping @Sendable (_ objects: [FileFindings.DamagedObject]) -> Void) { self.onFound = onFound }

    /// Replaces the known damaged objects by those that a check of the whole file has found.
    func replace(with objects: [FileFindings.DamagedObject]) {
        known.withLock { $0 = Dictionary(grouping: objects, by: \.className) }
    }

    /// The known damaged objects of all classes.
    var all: [FileFindings.DamagedObject] { known.withLock { $0.values.flatMap(\.self) } }

    /// Whether objects of a class are known to be damaged.
    func hasAny(of className: String) -> Bool { known.withLock { $0[className] != nil } }

    /// The known damaged objects of a class. Checks their rows again, and forgets objects that have become readable.
    func all(of className: String, in db: Database) throws -> [FileFindings.DamagedObject] {
        let noted = known.withLock { $0[className] ?? [] }
        guard !noted.isEmpty else { return [] }
        let keys = noted.map { String($0.key) }.joined(separator: ", ")
        let found = try FileCheck.damagedObjects("pk IN (\(keys))", [], in: db)
        known.withLock { $0[className] = found.isEmpty ? nil : found }
        return found
    }

    /// The primary keys (`pk`) of the known damaged objects, by class. A class without damaged objects is left out.
    func keys(of classNames: Set<String>, in db: Database) throws -> [String: [Int64]] {
        var keys: [String: [Int64]] = [:]
        for name in classNames {
            let found = try all(of: name, in: db)
            if !found.isEmpty { keys[name] = found.map(\.key) }
        }
        return keys
    }

    /// Checks all objects of the given classes, and passes newly found damaged objects to `onFound`.
    func look(for classNames: Set<String>, in db: Database) throws {
        var new: [FileFindings.DamagedObject] = []
        for name in classNames.sorted() {
            let found = try FileCheck.damagedObjects("class = ?", [name], in: db)
            let before = known.withLock { known in
                defer { known[name] = found.isEmpty ? nil : found }
                return Set((known[name] ?? []).map(\.key))
            }
            new += found.filter { !before.contains($0.key) }
        }
        if !new.isEmpty { onFound(new) }
    }
}
