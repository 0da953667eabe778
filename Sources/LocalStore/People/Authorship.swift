import GRDB
import ParseModel
import StoreService
import SyncModel

/// The rule by which a store gives authors to changes. It decides which clients may list a change, and which may decide
/// about it.
enum Authorship: Sendable {
    /// Changes have no authors. Every client may list all changes, and may decide about them.
    case none
    /// The data directory of a former site replica. The earlier changes still have the users of the site as authors.
    /// New changes belong to the gateway.
    case past
    /// A site replica, which serves several users. Each user is an author. All clients without a session are one
    /// author.
    case each(author: @Sendable (Principal) -> SyncAuthor)

    /// - Parameter author: returns the author of a principal's changes in a site replica.
    init(_ rights: StoreSettings.Rights, author: @escaping @Sendable (Principal) -> SyncAuthor) {
        switch rights {
        case .byRemote, .here: self = .none
        case .formerSite: self = .past
        case .site: self = .each(author: author)
        }
    }

    /// The key of the author of a principal's changes: in a site replica the user, otherwise the gateway.
    func key(of principal: Principal, in db: Database) throws -> AuthorKey {
        guard case .each(let author) = self else { return .gateway }
        return try Authors(db: db).key(of: author(principal))
    }

    /// As `key(of:)`, but adds no row for a new author.
    /// - Returns: nil for a principal without changes.
    func knownKey(of principal: Principal, in db: Database) throws -> AuthorKey? {
        guard case .each = self else { return .gateway }
        return try Authors(db: db).knownKey(of: SyncAuthor(of: principal))
    }

    /// The changes and conflicts that a principal may list. If changes have no authors, these are all. Otherwise, the
    /// master key lists all with their authors, and another principal lists its own. In the directory of a former site
    /// replica, new changes count as every client's own.
    func lister(of principal: Principal, in db: Database) throws -> DecisionLister {
        if case .none = self { return .all }
        return principal.readsEverything ? .allWithAuthors : try ownLister(of: principal, in: db)
    }

    /// The principal's own changes and conflicts, even for the master key. All of them if changes have no authors.
    func ownLister(of principal: Principal, in db: Database) throws -> DecisionLister {
        if case .none = self { return .all }
        return try knownKey(of: principal, in: db).map(DecisionLister.init(of:)) ?? .nothing
    }

    /// Whether the principal may decide about a change.
    /// - Parameters:
    ///   - author: the author of the change.
    ///   - own: the author of the principal's own changes.
    func allowsDeciding(about author: AuthorKey, _ principal: Principal, as own: AuthorKey) -> Bool {
        if case .none = self { return true }
        return principal.writesEverything || author == own
    }

    /// Checks that a principal may decide about held removals. A held removal names objects of all users, so a site
    /// replica requires the master key.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkDecidingRemovals(_ principal: Principal) throws {
        guard case .each = self, !principal.writesEverything else { return }
        throw ParseError(.operationForbidden, "The master key is required.")
    }
}
