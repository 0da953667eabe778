/// The store as the sync engine uses it. Each method is one transaction: rows, cursor, outbox and change feed change together or not at
/// all.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore,
    FileUploadStore, RemoteStateStore
{}
