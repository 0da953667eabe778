import StoreService
import SyncModel

/// A pull as rows that it brings have to be treated.
struct PullScope {
    let id: PullId
    let isWholeClass: Bool
    /// The fields that its rows have; nil for all.
    let keys: Set<String>?

    init(_ pull: NamedPull, of className: String, options: ClassOptions) {
        id = PullId(className: className, name: pull.name)
        isWholeClass = pull.isWholeClass
        // A remote gives the ACL whatever it is asked for.
        keys = pull.keys(with: options).map { Set($0).union(["ACL"]) }
    }
}
