import StoreService
import SyncModel

/// The settings of a pull that matter when its rows are stored: author, fields, and whether it reads the whole class.
struct PullScope {
    let id: PullId
    let author: AuthorKey
    let isWholeClass: Bool
    /// The fields that the pull fetches; nil for all.
    let keys: Set<String>?

    init(_ pull: NamedPull, of className: String, by author: AuthorKey, options: ClassOptions) {
        id = PullId(className: className, name: pull.name)
        self.author = author
        isWholeClass = pull.isWholeClass
        // The remote sends the ACL even if the keys of the pull do not name it.
        keys = pull.keys(with: options).map { Set($0).union(["ACL"]) }
    }
}
