import ParseModel
import SyncModel

/// A query that is sent with the first pages of a sync's pulls, to find out whether the remote still shows known
/// objects and fields. Rights may change without a change of any object.
package enum WatchQuery: Sendable, Hashable {
    /// The names of the user's direct roles, by role id. Roles that this gateway may not read are left out.
    case roles(ofUser: String)
    /// The ids and `updatedAt` of objects.
    case stamps(className: String, objectIds: [String])
    /// Whole rows.
    case rows(className: String, objectIds: [String])
}

/// The remote's answer to one `WatchQuery`.
package enum WatchAnswer: Sendable, Hashable {
    case roles([String: String])
    case stamps([ObjectStamp])
    case rows([RemoteRecord])
    /// The remote has refused the read, or the answer is unusable.
    case failed(RemoteError)
}

/// The first pages of several pulls, and the answers to the queries that were sent with them.
package struct FirstPages: Sendable {
    /// One result for each pull, in the order of the requests.
    package let pages: [Result<PullPage, RemoteError>]
    /// One answer for each query, in the order of the queries; empty if the queries were not sent.
    package let answers: [WatchAnswer]

    package init(pages: [Result<PullPage, RemoteError>], answers: [WatchAnswer] = []) {
        self.pages = pages
        self.answers = answers
    }
}
