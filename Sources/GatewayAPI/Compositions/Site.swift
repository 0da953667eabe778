import ParseModel
import StoreService

/// Puts together the API of a site replica, in which all users share the gateway's data and the gateway enforces their
/// rights. A request about a class waits until the permissions of the class are known.
package enum Site {
    package static func api(_ parts: APIParts, _ remote: RemoteWays, _ users: any UsersOfSite) -> GatewayAPI {
        let (store, responses, control) = (parts.store, parts.responses, remote.control)
        let calls = parts.calls(remote.calls, control, users)
        let addresses = parts.addresses(FileAddresses.Signing(addresses: parts.signed, userId: nil))
        let descriptions = ClassDescriptions(control: control, waits: parts.waits)
        let reads = parts.reads(.keptClasses, descriptions)
        let writes = ObjectWrites(store: store, accounts: nil, deliveries: parts.deliveries(remote))
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: parts.lists(reads),
            // The remote is asked with the master key, so only callers who may read everything get its answers.
            forwarded: ForwardedQueries(control: control, store: store, waits: parts.waits) { $0.readsEverything },
            lives: parts.lives(control))
        let sync = parts.sync(control, SyncUsersOfSite(site: users))
        let feed = parts.feed(sync)
        let live = parts.live(feed, reads, addresses) { users.isUsable($0) }
        users.onSessionEnd { [weak readers = feed.readers] in readers?.checkSessions() }
        let accounts = RemoteAccountRoutes(
            store: store, responses: responses, shownUser: { try users.fields(of: $0) },
            logOut: { try await users.logOut($0) })
        let dispatcher = parts.dispatcher(
            parts.forwarding(calls, .here),
            OperatorGuards(figures: .masterKey, operating: .masterKey, inspecting: .masterKey),
            sessionRefusal: nil, readiness: descriptions)

        let table = parts.batched(
            [
                objects.routes, parts.aggregate((control, calls)).routes, CloudRoutes(responses: responses).routes,
                accounts.routes, objects.specialRoutes, AudienceRoutes(objects: objects).routes,
                ConfigRoute(store: store, responses: responses).routes,
                SchemaRoutes(schemas: store.schemas, responses: responses).routes,
                parts.files(
                    addresses, remote.fileRemote(calls),
                    ReadersOfSite(reader: parts.fileReader, addresses: parts.signed)
                ).routes,
                sync.routes, UserDataRoutes(data: users, responses: responses).routes,
                parts.changes(feed, addresses) { users.isUsable($0) }.routes,
                parts.transfer(reads, addresses),
                parts.ownRoutes(feed, live, calls, control),
            ], dispatcher, reads, writes)
        return GatewayAPI(
            parts, table, callers: SiteCallers(users: users, waits: parts.waits), dispatcher: dispatcher,
            addresses: addresses, live: live, control: control)
    }
}
