import ParseModel
import SyncModel

/// A read that travels with the first pages of a sync's pulls. It shows whether the remote still shows known objects and fields, whose
/// rights may have changed without a change of any object.
package enum WatchQuery: Sendable, Hashable {
    /// The names of the roles of which the user is a direct member, by id, as far as they can be read.
    case roles(ofUser: String)
    /// The ids and `updatedAt` of objects.
    case stamps(className: String, objectIds: [String])
    /// Whole rows.
    case rows(className: String, objectIds: [String])
}

/// The remote's answer to one query of the watch.
package enum WatchAnswer: Sendable, Hashable {
    case roles([String: String])
    case stamps([ObjectStamp])
    case rows([RemoteRecord])
    /// The remote has refused the read, or the answer is unusable.
    case failed(RemoteError)
}

/// The first pages of several pulls, and the answers to the queries that travelled with them.
package struct FirstPages: Sendable {
    /// In the order of the requests.
    package let pages: [Result<PullPage, RemoteError>]
    /// In the order of the queries; empty if the remote was not asked.
    package let answers: [WatchAnswer]

    package init(pages: [Result<PullPage, RemoteError>], answers: [WatchAnswer] = []) {
        self.pages = pages
        self.answers = answers
    }
}
