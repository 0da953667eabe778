import StoreService
import SyncModel

/// The parts of a store that differ between a standalone gateway and a replica.
struct StoreProduct: Sendable {
    /// The type that applies the writes of local clients to objects.
    let writes: any WriteWay.Type
    let ways: StoreTransaction.Ways
    /// Whether rows can lack a view because the object was deleted here and not on the remote yet.
    let holdsDeleted: Bool
    /// Whether the list of all classes includes classes that have a schema and no objects.
    let namesClassesWithoutObjects: Bool
    let repair: DamageRepair.Way

    /// A store without a remote. `StandaloneWrites` itself records the changes of roles.
    static let standalone = StoreProduct(
        writes: StandaloneWrites.self,
        ways: .init(watchRoles: { _, _, _, _ in nil }, readOptions: { _, _ in ClassOptions() }), holdsDeleted: false,
        namesClassesWithoutObjects: true, repair: .none)

    /// A store with copies of a remote's objects. It can have schemas of classes whose objects it does not store.
    static let replica = StoreProduct(
        writes: ReplicaWrites.self,
        ways: .init(
            watchRoles: { try RoleChange(saving: $1, storedAs: $2, replacing: $3, in: $0) },
            readOptions: { try ClassTable(db: $1).options(of: $0) }), holdsDeleted: true,
        namesClassesWithoutObjects: false, repair: .fromRemote)

    static func of(_ identity: StoreIdentity) -> StoreProduct { identity.remote == nil ? .standalone : .replica }
}
