/// The store as the sync engine uses it. Each method is one atomic transaction over rows, cursor, outbox and change feed.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore,
    FileUploadStore, RemoteStateStore
{}
