import ParseModel
import StoreService

/// The connections of a replica's API to its remote: the sync engine, forwarded calls, and downloads of files.
package struct RemoteWays: Sendable {
    /// The sync engine.
    let control: any SyncControl
    /// Performs the writes whose clients ask for the remote.
    let delivery: any WriteDelivery
    /// Sends the requests that only the remote can answer; nil for a kind of remote that answers none.
    let calls: (any RemoteCalls)?
    /// Downloads the remote's files; nil for a kind of remote without files.
    let files: (any RemoteFiles)?

    package init(
        control: any SyncControl, delivery: any WriteDelivery = NoDelivery(), calls: (any RemoteCalls)? = nil,
        files: (any RemoteFiles)? = nil
    ) {
        (self.control, self.delivery, self.calls, self.files) = (control, delivery, calls, files)
    }

    func fileRemote(_ calls: ForwardedCalls) -> FileRoutes.Remote { files.map { .files($0, calls) } ?? .withoutFiles }
}

/// Puts together the API of a replica without users. Every client with the replica's keys sees all data.
package enum Replica {
    package static func api(_ parts: APIParts, _ remote: RemoteWays) -> GatewayAPI {
        let (store, responses, control) = (parts.store, parts.responses, remote.control)
        let calls = parts.calls(remote.calls, control, nil)
        let addresses = parts.addresses()
        let reads = parts.reads(.keptClasses)
        let writes = ObjectWrites(store: store, accounts: nil, deliveries: parts.deliveries(remote))
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: parts.lists(reads),
            forwarded: ForwardedQueries(control: control, store: store, waits: parts.waits), lives: parts.lives(control)
        )
        let sync = parts.sync(control, NoSyncPeople())
        let feed = parts.feed(sync)
        let live = parts.live(feed, reads, addresses)
        let dispatcher = parts.dispatcher(
            parts.forwarding(calls, .ofRemote),
            OperatorGuards(figures: .everyClient, operating: .everyClient, inspecting: .everyClient),
            sessionRefusal: ParseError(
                .operationForbidden,
                "This replica serves no users. To use it with sessions, start it with --people personal."))

        let table = parts.batched(
            [
                objects.routes, parts.aggregate((control, calls)).routes, CloudRoutes(responses: responses).routes,
                RemoteAccountRoutes(store: store, responses: responses).routes, objects.specialRoutes,
                AudienceRoutes(objects: objects).routes, ConfigRoute(store: store, responses: responses).routes,
                SchemaRoutes(schemas: store.schemas, responses: responses).routes,
                parts.files(addresses, remote.fileRemote(calls), ReadersByName(reader: parts.fileReader)).routes,
                sync.routes,
                UserDataRoutes(data: nil, responses: responses).routes, parts.changes(feed, addresses).routes,
                parts.transfer(reads, addresses),
                parts.ownRoutes(feed, live, calls, control),
            ], dispatcher, reads, writes)
        return GatewayAPI(
            parts, table, callers: KeyCallers(), dispatcher: dispatcher, addresses: addresses, live: live,
            control: control)
    }
}
