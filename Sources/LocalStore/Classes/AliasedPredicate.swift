import GRDB
import ParseModel

/// Replaces aliases (earlier ids of objects) in conditions.
struct AliasedPredicate {
    let db: Database

    /// The predicate with the objects' present ids.
    func resolved(_ predicate: Predicate, of className: String) throws -> Predicate {
        guard try db.isTrue("SELECT EXISTS (SELECT 1 FROM aliases)") else { return predicate }
        let (aliases, classes) = (Aliases(db: db), ClassTable(db: db))
        var failure: (any Error)?
        func orElse<Value>(_ value: Value, _ read: () throws -> Value?) -> Value {
            do { return try read() ?? value } catch {
                failure = error
                return value
            }
        }
        let resolved = predicate.replacingIds(
            of: className, idFields: { name in orElse(IdFields()) { try classes.idFields(of: name) } },
            { named in
                orElse(named) {
                    try aliases.known(named.className, named.objectId).map {
                        Pointer(className: named.className, objectId: $0)
                    }
                }
            })
        if let failure { throw failure }
        return resolved
    }
}
