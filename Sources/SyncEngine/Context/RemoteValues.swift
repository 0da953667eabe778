import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// Tells the store which values the remote can store. The store asks this object instead of the remote, because the
/// store is opened before the remote is created: the remote needs the replica's id from the store.
package final class RemoteValues: RemoteValueRules {
    private let remote = Mutex<(any RemoteService)?>(nil)

    package init() {}

    /// Sets the remote. Called before the first local write.
    package func belong(to remote: any RemoteService) { self.remote.withLock { $0 = remote } }

    package func mapsValues(of className: String) -> Bool {
        current.map { $0.capabilities(of: className).values != .any } ?? false
    }

    package func named(_ file: FileReference) -> FileReference { current?.named(file) ?? file }

    package func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        current?.refusal(of: fields, in: className, mapping: mapping)
    }

    private var current: (any RemoteService)? { remote.withLock { $0 } }
}
