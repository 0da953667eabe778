/// The store as the sync engine of one identity uses it: steps, pulls, cursors, unanswered requests and unseen writes are those of the
/// identity. Each method is one transaction: rows, cursor, outbox and change feed change together or not at all.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore,
    FileUploadStore, RemoteStateStore
{}
