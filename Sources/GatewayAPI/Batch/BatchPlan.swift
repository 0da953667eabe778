import ParseModel
import StoreService

/// The items of a batch, each with a path that is known to exist.
struct BatchPlan: Sendable {
    enum Item: Sendable {
        case read(ObjectTarget, parameters: JSONObject)
        case write(WriteRequest)
        /// A request that is answered as it would be alone.
        case request(RoutedRequest, isForwarded: Bool)
        /// Refused before anything was done; the other items go on.
        case refused(any Error)

        /// Whether the remote answers it.
        var isForwarded: Bool {
            if case .request(_, isForwarded: true) = self { true } else { false }
        }
    }

    let items: [Item]
    /// Whether all items fail where one does.
    let isAtomic: Bool
    /// The batch itself.
    let request: RoutedRequest
}
