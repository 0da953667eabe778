import GRDB
import ParseModel
import Synchronization

/// The objects whose stored JSON is damaged, as a check has found them. Lists leave them out and a read by id names them, so that
/// one damaged row does not fail the queries of its whole class.
final class DamagedObjects: Sendable {
    private let known = Mutex<[String: [FileFindings.DamagedObject]]>([:])

    /// - Parameter objects: what a check of the whole file has found.
    func replace(with objects: [FileFindings.DamagedObject]) {
        known.withLock { $0 = Dictionary(grouping: objects, by: \.className) }
    }

    /// The damaged objects of a class. Objects whose rows have been written again since are forgotten.
    func all(of className: String, in db: Database) throws -> [FileFindings.DamagedObject] {
        let noted = known.withLock { $0[className] ?? [] }
        guard !noted.isEmpty else { return [] }
        let keys = noted.map { String($0.key) }.joined(separator: ", ")
        let found = try FileCheck.damagedObjects("pk IN (\(keys))", [], in: db)
        known.withLock { $0[className] = found.isEmpty ? nil : found }
        return found
    }

    /// Looks through all objects of a class.
    func look(for className: String, in db: Database) throws {
        let found = try FileCheck.damagedObjects("class = ?", [className], in: db)
        known.withLock { $0[className] = found.isEmpty ? nil : found }
    }
}
