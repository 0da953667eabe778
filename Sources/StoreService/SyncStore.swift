/// The functions of a store that the sync engine needs. Each method is one transaction, in which rows, cursor, outbox and
/// change feed change together.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore,
    FileUploadStore, RemoteStateStore
{}
