import HTTPClient
import LocalStore
import ParseModel
import RemoteService
import StoreService

/// The special behaviour in runs of kind `creates`, which makes the outcomes of creates hard to find out. Answers to
/// creates are lost, objects look alike, clients choose ids, and users edit and delete objects before their create is
/// answered. Other users find new objects at once, rewrite most of their values, and delete acknowledged objects before
/// a replica has pulled them.
struct UnknownCreates: Sendable {
    let users: SimulatedUsers
    let server: SimulatedServer
    let random: PartyRandom
    /// Whether users make their objects as copies of the newest one, and most creates get a fault. Several creates of unknown outcome
    /// then look alike.
    let makesCopies: Bool

    init(users: SimulatedUsers, server: SimulatedServer, random: PartyRandom) {
        (self.users, self.server, self.random) = (users, server, random)
        makesCopies = random.chance(0.5)
    }

    /// Additional fields of new objects. Their values are unique when the object is made, or those of another object. The ledger
    /// does not check them.
    static let details = ["place", "code", "price", "owner", "due"]

    /// The fault for a request that contains a create; nil to let the network conditions decide.
    func fault(for request: HTTPClientRequest) -> NetworkFault? {
        guard isCreate(request), random.chance(makesCopies ? 0.6 : 0.3) else { return nil }
        return random.pick([.replyLost, .replyLost, .requestLost, .delayed, .serverErrorAfterwards])
    }

    private func isCreate(_ request: HTTPClientRequest) -> Bool {
        guard request.method == .post else { return false }
        let body = String(decoding: request.body, as: UTF8.self)
        return body.contains(#""title""#)
    }

    /// Makes a new object hard to recognise: the returned body has values that other objects also have, and may have an
    /// id that the client chooses.
    func ambiguousBody(
        _ body: JSONObject, titled title: String, among objects: [SimulatedUsers.VisibleObject], by party: String
    ) -> JSONObject {
        var body = body
        body["kind"] = "same"
        if let first = objects.min(by: { $0.objectId < $1.objectId }), random.chance(0.8) {
            body["ref"] = Pointer(className: first.className, objectId: first.objectId).json
        }
        if random.chance(0.6) {
            let copied = makesCopies ? objects.max { $0.createdAt < $1.createdAt } : nil
            for field in Self.details { body[field] = copied?.fields[field] ?? .string("\(field) of \(title)") }
        }
        if party != SimulatedServer.name, server.settings.allowsChosenIds, random.chance(0.6) {
            body["objectId"] = .string("id-\(title)")
        }
        return body
    }

    /// Usually lets users of the server act once or twice: they create an object, or edit, rewrite or delete the newest
    /// one.
    func othersAct() async {
        guard random.chance(0.7) else { return }
        // The changes must be later than the create: a row with equal `createdAt` and `updatedAt` counts as unchanged.
        server.passMillisecond()
        let write: SimulatedUsers.Write = { [server] in _ = try await server.write($0).get() }
        for _ in 0..<random.within(1...2) {
            guard random.chance(0.7), let newest else {
                await users.create(as: SimulatedServer.name, seeing: server.store, write: write)
                continue
            }
            guard random.chance(0.5) else {
                await users.act(as: SimulatedServer.name, on: newest, seeing: server.store, write: write)
                continue
            }
            await users.rewrite(Self.details, as: SimulatedServer.name, on: newest, seeing: server.store, write: write)
        }
    }

    /// After some answered creates, lets a user of the server delete the newest object, before its replica has pulled
    /// it.
    func othersDelete(after request: HTTPClientRequest) async {
        guard isCreate(request), random.chance(0.2), let newest else { return }
        server.passMillisecond()
        await users.delete(newest, as: SimulatedServer.name, seeing: server.store) { [server] in
            _ = try await server.write($0).get()
        }
    }

    private var newest: String? { users.newest(in: server.store) }

    /// Lets a user edit or delete an object whose outcome on the server is not clear. Its create was sent without an
    /// acknowledgement, an open conflict asks about the create, or the create was acknowledged and no list has shown
    /// the object yet.
    func actOnUnknownCreate(at replica: SimulatedReplica) async {
        guard let store = replica.process?.store, !replica.hasEnded else { return }
        let asked = ((try? store.decisions.conflicts(resolved: false, as: .master)) ?? []).filter {
            $0.kind == .ambiguousCreate
        }
        .map(\.objectId)
        let unknown = ((try? store.decisions.pendingChanges(as: .master)) ?? [])
            .filter { $0.step.kind == .create && $0.step.wasAttempted }.map(\.objectId)
        var unshown: [String] = []
        for className in SimulatedReplica.classes {
            let writes = (try? await store.sync(as: .gateway).unseenWrites(of: className, max: 100)) ?? []
            unshown += writes.filter { $0.standing == .unshown }.map(\.objectId)
        }
        guard let objectId = random.pick(asked + unknown + unshown) else { return }
        await users.act(as: replica.name, on: objectId, seeing: store) {
            _ = try await store.objects.perform([$0], as: .master, atomically: false)[0].get()
        }
    }
}
