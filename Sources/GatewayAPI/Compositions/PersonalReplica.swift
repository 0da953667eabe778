import ParseModel
import StoreService

/// Puts together the API of a personal replica, which keeps a store of its own (a space) for each user. It passes
/// requests with a session on to the user's space, and answers requests without a session from the gateway's own data.
package enum PersonalReplica {
    package static func api(
        _ parts: APIParts, _ remote: RemoteWays, _ spaces: any UserSpaces
    ) -> GatewayAPI {
        let (store, responses, control) = (parts.store, parts.responses, remote.control)
        let calls = parts.calls(remote.calls, control, spaces)
        let addresses = parts.addresses()
        let reads = parts.reads(.keptClasses)
        let writes = ObjectWrites(store: store, accounts: nil, deliveries: parts.deliveries(remote))
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: parts.lists(reads),
            forwarded: ForwardedQueries(control: control, store: store, waits: parts.waits), lives: parts.lives(control)
        )
        let sync = parts.sync(control, SyncUsersOfSpaces(spaces: spaces))
        let feed = parts.feed(sync)
        let live = parts.live(feed, reads, addresses)
        let accounts = RemoteAccountRoutes(
            store: store, responses: responses, shownUser: nil, logOut: { try await spaces.logOut($0) })
        let dispatcher = parts.dispatcher(
            parts.forwarding(calls, .ofRemote),
            OperatorGuards(figures: .everyClient, operating: .masterKey, inspecting: .masterKey),
            sessionRefusal: ParseError(
                .operationForbidden,
                "Send the session or the master key, not both. With the master key, the parameter `user` of routes under /sync names a user."
            ))

        let table = parts.batched(
            [
                objects.routes, parts.aggregate((control, calls)).routes, CloudRoutes(responses: responses).routes,
                accounts.routes, objects.specialRoutes, AudienceRoutes(objects: objects).routes,
                ConfigRoute(store: store, responses: responses).routes,
                SchemaRoutes(schemas: store.schemas, responses: responses).routes,
                parts.files(
                    addresses, remote.fileRemote(calls), ReadersOfSharedFiles(reader: parts.fileReader, spaces: spaces)
                ).routes,
                sync.routes, UserDataRoutes(data: spaces, responses: responses).routes,
                parts.changes(feed, addresses).routes, parts.transfer(reads, addresses),
                parts.ownRoutes(feed, live, calls, control),
            ], dispatcher, reads, writes)
        return GatewayAPI(
            parts, table, callers: SpaceCallers(spaces: spaces, waits: parts.waits, addresses: parts.signed),
            dispatcher: dispatcher, addresses: addresses, live: live, control: control)
    }
}
