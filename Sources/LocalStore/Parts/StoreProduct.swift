import StoreService

/// What differs between the kinds of store.
struct StoreProduct: Sendable {
    /// How a write of a local client changes an object.
    let writes: any WriteWay.Type
    /// How a change of a role that a sync brings is recorded in the change feed.
    let watchRoles: StoreTransaction.WatchRoles
    /// Whether rows can lack a view, because an object was deleted here and not yet on the remote.
    let holdsDeleted: Bool
    /// Whether the names of all classes include those that only have a schema.
    let namesClassesWithoutObjects: Bool
    let repair: DamageRepair.Way

    /// The store is the only place of its objects. A write records its change of a role itself.
    static let standalone = StoreProduct(
        writes: StandaloneWrites.self, watchRoles: { _, _, _, _ in nil }, holdsDeleted: false,
        namesClassesWithoutObjects: true, repair: .none)

    /// The store has copies of a remote's objects. It also knows schemas of classes that it does not store.
    static let replica = StoreProduct(
        writes: ReplicaWrites.self,
        watchRoles: { try RoleChange(saving: $1, storedAs: $2, replacing: $3, in: $0) }, holdsDeleted: true,
        namesClassesWithoutObjects: false, repair: .fromRemote)

    static func of(_ identity: StoreIdentity) -> StoreProduct { identity.remote == nil ? .standalone : .replica }
}
