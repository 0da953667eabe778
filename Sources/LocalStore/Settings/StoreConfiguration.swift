import GRDB
import ParseModel
import StoreService
import SyncModel

/// The settings of a `LocalStore`: the settings of every kind of store (`settings`), and some that only this kind has.
/// The members of `settings` can be used as members of this type.
@dynamicMemberLookup
package struct StoreConfiguration: Sendable {
    package var settings: StoreSettings
    /// Whether write timestamps never decrease, even after the clock is set back. The simulated server sets false, because Parse
    /// Server does not promise this order.
    package var keepsStampsInOrder = true
    /// Whether the sessions of a user with the ACL `{}` are refused. The simulated server sets false, because Parse Server accepts them.
    package var refusesLockedUsers = true
    /// The threads for writes, and for reads from async code.
    package var executor = StoreExecutor.threads()
    /// Observes commits, and can inject faults into them.
    package var watch: CommitWatch?
    /// The limits by which the rows of long pulls are divided into writes.
    package var pageWrites = RecentCommits.Limits()
    /// The rule that decides what happens to an object with pending changes when its row on the remote has changed. The
    /// simulation injects wrong rules.
    package var rebase: RebaseRules.Rebase = RebaseRules.decide
    /// Returns the author of a principal's changes in a site replica. The simulation injects wrong authors.
    package var author: @Sendable (Principal) -> SyncAuthor = SyncAuthor.init(of:)
    /// Called in the transaction after each event of an object. The simulation checks its invariants here.
    package var audit: (@Sendable (_ before: ObjectLife, _ after: ObjectLife, _ event: LifeEvent) -> Void)?
    /// The maximum memory of the cache of recently read objects, in bytes. It is lower in the store of a single user,
    /// because a gateway can have many such stores.
    package var objectCacheBytesMax: Int
    /// The maximum memory of a client's query, in bytes.
    var queryBytesMax = QueryMemory.bytesMax
    var indexing = IndexKeeper.Limits()

    package init(_ settings: StoreSettings) {
        self.settings = settings
        objectCacheBytesMax = settings.sharedDirectory == nil ? 64 << 20 : 4 << 20
    }

    package init(directory: String, identity: StoreIdentity) {
        self.init(StoreSettings(directory: directory, identity: identity))
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<StoreSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }
}

extension StoreConfiguration {
    /// Whether the sessions of a user are accepted: the user exists, and is not locked out by the ACL `{}`.
    func mayWork(_ userId: String, in db: Database) throws -> Bool {
        guard let user = try StoredObject("_User", userId, in: db) else { return false }
        return admits(try user.fields(of: "_User"))
    }

    /// Whether the sessions of a user with these fields are accepted. The ACL `{}` locks a user out.
    func admits(_ user: JSONObject) -> Bool { !refusesLockedUsers || user["ACL"]?.object?.isEmpty != true }
}
