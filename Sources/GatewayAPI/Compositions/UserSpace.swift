import ParseModel
import StoreService

/// Puts together the API of a space, which holds the data of one user in a personal replica. The replica passes the
/// user's requests on to it. A read waits for the first sync of its class.
package enum UserSpace {
    /// - Parameter storeId: the unique id of the space's store. The positions of the space's change feed contain a name
    ///   derived from it.
    package static func api(
        _ parts: APIParts, _ remote: RemoteWays, _ user: SpaceUser, of spaces: any UserSpaces, storeId: String
    ) -> GatewayAPI {
        let (store, responses, control) = (parts.store, parts.responses, remote.control)
        let calls = parts.calls(remote.calls, control, spaces, besides: spaces)
        let addresses = parts.addresses(FileAddresses.Signing(addresses: parts.signed, userId: user.objectId))
        let firstReads = FirstReads(control: control, store: store, waits: parts.waits)
        let reads = parts.reads(.keptClasses, firstReads)
        let writes = ObjectWrites(
            store: store, accounts: nil, foreignNames: ForeignNames(spaces: spaces, files: store.files),
            deliveries: parts.deliveries(remote))
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: parts.lists(reads),
            forwarded: ForwardedQueries(control: control, store: store, waits: parts.waits), lives: parts.lives(control)
        )
        let sync = parts.sync(control, OneSyncUser(userId: user.objectId, overview: spaces))
        let positions = FeedPositions(ofStore: storeId)
        let feed = parts.feed(sync, positions)
        let live = parts.live(feed, reads, addresses, positions: positions) { spaces.isUsable($0) }
        let accounts = RemoteAccountRoutes(
            store: store, responses: responses, shownUser: { _ in try user.fields() },
            logOut: { try await spaces.logOut($0) })
        let dispatcher = parts.dispatcher(
            parts.forwarding(calls, .here),
            OperatorGuards(figures: .everyClient, operating: .masterKey, inspecting: .masterKey),
            sessionRefusal: nil, readiness: firstReads)

        let table = parts.batched(
            [
                objects.routes, parts.aggregate((control, calls)).routes, CloudRoutes(responses: responses).routes,
                accounts.routes, objects.specialRoutes, AudienceRoutes(objects: objects).routes,
                ConfigRoute(store: store, responses: responses).routes,
                SchemaRoutes(schemas: store.schemas, responses: responses).routes,
                parts.files(
                    addresses, remote.fileRemote(calls), ReadersOfSpace(addresses: parts.signed)
                ).routes,
                sync.routes, UserDataRoutes(data: nil, responses: responses).routes,
                parts.changes(feed, addresses) { spaces.isUsable($0) }.routes,
                parts.transfer(reads, addresses, writes.foreignNames),
                parts.ownRoutes(feed, live, calls, control),
            ], dispatcher, reads, writes, hasEnded: { try spaces.hasEnded($0) })
        return GatewayAPI(
            parts, table, callers: CallersOfSpace(user: user), dispatcher: dispatcher, addresses: addresses,
            live: live, control: control)
    }
}
