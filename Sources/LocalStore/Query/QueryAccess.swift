import GRDB
import ParseModel

/// The rights of a principal on the classes of one query, and the kind of ACL test for its statements.
struct QueryAccess {
    /// How a statement tests the ACLs of objects.
    enum ACLTest {
        /// No test, because the principal may read all objects.
        case none
        /// A test that accepts only objects that everybody may read.
        case ofPublic
        /// A test of the ACL's number: SQLite first collects the numbers of all ACLs that let the principal read, once
        /// for each statement.
        /// - Parameter entities: the ACL keys of the principal (its user id, its roles and `*`) as a JSON array.
        case byNumbers(entities: String)
        /// A test that searches the readers of each object's ACL. This takes longer for each object than `byNumbers`,
        /// but does not depend on the number of ACLs.
        case byReaders(entities: String)
    }

    let principal: Principal
    let aclTest: ACLTest
    private let rules: [String: AccessRules]

    /// The rights of the master key, which nothing restricts.
    static let ofMaster = QueryAccess(principal: .master, aclTest: .none, rules: [:])

    /// The maximum number of ACLs that let the principal read for which `byNumbers` is used.
    private static let numbersMax = 2000

    private init(principal: Principal, aclTest: ACLTest, rules: [String: AccessRules]) {
        (self.principal, self.aclTest, self.rules) = (principal, aclTest, rules)
    }

    /// - Parameters:
    ///   - classNames: the classes that the query reads.
    ///   - isEnforced: whether the store enforces ACLs.
    init(
        _ principal: Principal, to classNames: Set<String>, isEnforced: Bool, in db: Database,
        rules: (String) throws -> AccessRules
    ) throws {
        self.principal = principal
        var found: [String: AccessRules] = [:]
        for name in classNames { found[name] = try rules(name) }
        self.rules = found
        guard isEnforced, !principal.readsEverything else {
            aclTest = .none
            return
        }
        guard principal.user != nil else {
            aclTest = .ofPublic
            return
        }
        let entities = JSONValue.array(principal.entities.map(JSONValue.string)).jsonText
        let count = try db.count(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM acl_readers WHERE entity IN (SELECT value FROM json_each(?)) LIMIT \(Self.numbersMax + 1))
            """, [entities])
        aclTest =
            count == 0
            ? .ofPublic : count <= Self.numbersMax ? .byNumbers(entities: entities) : .byReaders(entities: entities)
    }

    /// The rights of the principal on one of the query's classes.
    func rules(of className: String) -> AccessRules {
        rules[className] ?? AccessRules(principal, ClassRights(className))
    }

    /// Whether the principal's rights to count and to list objects of a class differ, so that a count needs a condition of its own.
    func countsDifferently(_ className: String, than operation: AccessRules.Operation) -> Bool {
        guard !principal.readsEverything else { return false }
        let rules = rules(of: className)
        return rules.verdict(on: .count) != rules.verdict(on: operation)
    }
}
