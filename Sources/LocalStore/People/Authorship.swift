import GRDB
import ParseModel
import StoreService
import SyncModel

/// Whose changes a store tells apart, and what follows from it: who lists a change, and who may decide about it.
enum Authorship: Sendable {
    /// Nobody's. Everybody lists all changes and decides about them.
    case none
    /// Those of the users whom a former site has served, and those made since, which have no author.
    case past
    /// Those of each user of a site, and of the clients without a session as one author.
    case each(author: @Sendable (Principal) -> SyncAuthor)

    /// - Parameter author: gives the author of a principal's changes in a site.
    init(_ rights: StoreSettings.Rights, author: @escaping @Sendable (Principal) -> SyncAuthor) {
        switch rights {
        case .byRemote, .here: self = .none
        case .formerSite: self = .past
        case .site: self = .each(author: author)
        }
    }

    /// The identity under which the changes of a principal are sent: without authors, that of the gateway.
    func identity(of principal: Principal, in db: Database) throws -> SyncIdentity {
        guard case .each(let author) = self else { return .gateway }
        return try Authors(db: db).identity(of: author(principal))
    }

    /// The identity whose changes are the principal's own.
    /// - Returns: nil for a user without changes.
    func ownIdentity(of principal: Principal, in db: Database) throws -> SyncIdentity? {
        guard case .each = self else { return .gateway }
        return try Authors(db: db).knownIdentity(of: SyncAuthor(of: principal))
    }

    /// What the principal lists. Without authors, everybody lists everything. In a directory that was a site's, a client without the master
    /// key lists the changes since then.
    func lister(of principal: Principal, in db: Database) throws -> DecisionLister {
        if case .none = self { return .all }
        return principal.readsEverything ? .allWithAuthors : try ownLister(of: principal, in: db)
    }

    /// The changes and conflicts of the principal alone, also with the master key. Without authors, those of everybody.
    func ownLister(of principal: Principal, in db: Database) throws -> DecisionLister {
        if case .none = self { return .all }
        return try ownIdentity(of: principal, in: db).map(DecisionLister.init(of:)) ?? .nothing
    }

    /// Whether the principal may decide about a change.
    /// - Parameters:
    ///   - identity: the identity of the change.
    ///   - own: the identity of the principal.
    func allowsDeciding(about identity: SyncIdentity, _ principal: Principal, as own: SyncIdentity) -> Bool {
        if case .none = self { return true }
        return principal.writesEverything || identity == own
    }

    /// Held removals name objects of all users of a site, so they are decided with the master key.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkDecidingRemovals(_ principal: Principal) throws {
        guard case .each = self, !principal.writesEverything else { return }
        throw ParseError(.operationForbidden, "The master key is required.")
    }
}
