import ParseModel
import StoreService

/// A batch with its parsed items. Every item matches a route, because an item without a route fails the whole batch.
struct BatchPlan: Sendable {
    enum Item: Sendable {
        case read(ObjectTarget, parameters: JSONObject)
        case write(WriteRequest)
        /// A request that is answered in the same way as outside of a batch.
        case request(RoutedRequest, isForwarded: Bool)
        /// An item that is refused before any item is executed. The other items are executed. A transaction has no such item.
        case refused(any Error)

        /// Whether the remote answers the item.
        var isForwarded: Bool {
            if case .request(_, isForwarded: true) = self { true } else { false }
        }
    }

    let items: [Item]
    /// The method and the path of each item.
    let calls: [(method: RequestMethod, path: RoutePath)]
    /// Whether the failure of one item fails all of them.
    let isAtomic: Bool
    /// The batch request.
    let request: RoutedRequest
}
