import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// Tells a replica's store which values its remote can store. The store is opened before the remote is created.
final class ValueRules: RemoteValueRules {
    private let remote = Mutex<(any RemoteService)?>(nil)

    func belong(to remote: any RemoteService) { self.remote.withLock { $0 = remote } }

    func mapsValues(of className: String) -> Bool {
        current.map { $0.capabilities(of: className).values != .any } ?? false
    }

    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        current?.refusal(of: fields, in: className, mapping: mapping)
    }

    private var current: (any RemoteService)? { remote.withLock { $0 } }
}
