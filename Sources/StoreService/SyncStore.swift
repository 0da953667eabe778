/// The functions of a store that the sync engine of one identity needs. Steps, pulls, cursors, unanswered requests and unseen
/// writes are those of this identity. Each method makes all its changes in one transaction.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore, WatchStore,
    FileUploadStore, RemoteStateStore
{}
