import LocalStore
import SyncEngine

// The store knows nothing of the engine, nor the engine of SQLite; here they meet.
extension LocalStore: SyncStore {}
