/// The functions of a store that the sync engine needs. Each method writes in one transaction at most, in which rows,
/// cursor, outbox and change feed change together. Steps, pulls, cursors, unanswered requests and unseen writes are
/// those of one identity.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore,
    FileUploadStore, RemoteStateStore
{}
