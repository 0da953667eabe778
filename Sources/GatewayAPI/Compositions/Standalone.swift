import ParseModel
import StoreService

/// Puts together the API of a gateway without a remote. It answers like a Parse Server.
package enum Standalone {
    /// - Parameter accounts: the store of users and sessions; nil for a gateway without users.
    package static func api(_ parts: APIParts, accounts: (any AccountStore)?) -> GatewayAPI {
        let (store, responses, environment) = (parts.store, parts.responses, parts.environment)
        let settings = parts.configuration.accounts
        let sessions = accounts.map { Sessions(store: $0, settings: settings, environment: environment) }
        let addresses = parts.addresses()
        let reads = parts.reads(.everything)
        let writes = ObjectWrites(
            store: store,
            accounts: sessions.map {
                AccountPreparation(
                    sessions: $0, objects: store,
                    rules: PasswordRules(policy: settings.passwordPolicy, hasher: parts.hasher),
                    wrongValuesOfChanges: parts.configuration.dialect.wrongSignInValues,
                    environment: environment)
            },
            refusesChosenIds: parts.configuration.refusesChosenIds)
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: parts.lists(reads), forwarded: nil,
            lives: parts.lives(nil))
        let sync = parts.sync(nil, NoSyncPeople())
        let feed = parts.feed(sync)
        let live = parts.live(feed, reads, addresses, isOpen: sessions.map(isOpen(in:)))
        let dispatcher = parts.dispatcher(
            nil,
            OperatorGuards(
                figures: .masterKeyOnceThereAreUsers(store), operating: .everyClient,
                inspecting: .masterKeyOnceThereAreUsers(store)),
            sessionRefusal: sessions == nil ? .invalidSession : nil)

        // If two routes of one method match a path, the earlier one is used. Object routes come first, because most requests use them.
        let table = parts.batched(
            [
                objects.routes, parts.aggregate(nil).routes, CloudRoutes(responses: responses).routes,
                accountRoutes(parts, sessions, writes), objects.specialRoutes, AudienceRoutes(objects: objects).routes,
                ConfigRoute(store: store, responses: responses).routes,
                SchemaRoutes(schemas: store.schemas, responses: responses).routes,
                parts.files(addresses, .none, ReadersByName(reader: parts.fileReader)).routes, sync.routes,
                UserDataRoutes(data: nil, responses: responses).routes, parts.changes(feed, addresses).routes,
                parts.transfer(
                    reads, addresses, hasUsers: accounts != nil, schemas: SchemaTransfer(store: parts.store)),
                parts.ownRoutes(feed, live, nil, nil),
            ], dispatcher, reads, writes)
        return GatewayAPI(
            parts, table, callers: sessions.map { AccountCallers(sessions: $0) } ?? KeyCallers(),
            dispatcher: dispatcher, addresses: addresses, live: live, control: nil)
    }

    private static func isOpen(in sessions: Sessions) -> @Sendable (_ token: String) -> Bool {
        { (try? sessions.session(of: $0)) != nil }
    }

    private static func accountRoutes(
        _ parts: APIParts, _ sessions: Sessions?, _ writes: ObjectWrites
    ) -> [Route] {
        guard let sessions else {
            return RemoteAccountRoutes(store: parts.store, responses: parts.responses).routes
        }
        let logIns = LogIns(sessions: sessions, hasher: parts.hasher)
        return UserRoutes(sessions: sessions, logIns: logIns, responses: parts.responses).routes
            + SessionRoutes(sessions: sessions, objects: parts.store, writes: writes, responses: parts.responses).routes
    }
}
