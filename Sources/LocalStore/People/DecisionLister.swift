import GRDB
import ParseModel
import StoreService
import SyncModel

/// Whose changes and conflicts a list contains. In a site replica, a user lists the own ones, and the master key lists all.
struct DecisionLister {
    /// The SQL condition on the column `identity`.
    let condition: String
    /// Whether the list names the authors.
    let showsAuthors: Bool

    /// Everything, without authors.
    static let all = DecisionLister(condition: "1", showsAuthors: false)

    private init(condition: String, showsAuthors: Bool) {
        (self.condition, self.showsAuthors) = (condition, showsAuthors)
    }

    /// The list of a principal of a site replica.
    init(_ principal: Principal, in db: Database) throws {
        guard !principal.readsEverything else {
            self.init(condition: "1", showsAuthors: true)
            return
        }
        let own = try Authors(db: db).knownIdentity(of: SyncAuthor(of: principal))
        self.init(condition: own.map { "identity = \($0.key)" } ?? "0", showsAuthors: false)
    }
}
