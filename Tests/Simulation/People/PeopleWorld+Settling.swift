import LocalStore
import ParseModel
import StoreService
import SyncModel

/// The phase without faults, and the final checks.
extension PeopleWorld {
    /// The maximum number of rounds of syncs and decisions until the replicas have sent all changes.
    private static let roundsMax = 30
    /// The minimum number of rounds without changes. In this time, the engine also ends its search for acknowledged
    /// writes that the server does not show.
    private static let quietRoundsMin = 7

    func settle() async throws {
        trace.note("faults stop")
        for replica in replicas {
            replica.network.conditions.withLock { $0 = PeopleTransport.Conditions() }
            replica.current?.process.cancelCrash()
            if replica.hasEnded { try await restart(replica) }
        }
        for user in server.users where user.isLocked && !user.isDeleted { try await server.setLocked(false, user.id) }
        await pass(ms: 15_000)
        // If the server does not show an object, the engine holds back changes of the object for five minutes.
        for _ in 0..<6 { await pass(ms: 65_000) }
        for replica in replicas { try await checkQueues(at: replica) }
        await checkSessions()
        let recorded = PeopleRecords()
        try await logEverybodyIn(recorded)
        for replica in replicas {
            for user in server.users where user.isDeleted { await forget(user.id, at: replica, recorded) }
        }
        guard findings.isEmpty, try await sendEverything(recorded) else { return }
        for replica in replicas {
            for user in server.users where !user.isDeleted { try await checkObjects(of: user.id, at: replica) }
        }
        checkWrites(recorded)
        for line in recorded.refusedFiles { replicas.first.map { beliefs(of: $0).addFinding(line) } }
        if findings.isEmpty { try await RightsRounds(world: self).run() }
    }

    /// Logs every user in at every replica. If the number of users is limited, some must wait until others have sent
    /// their changes.
    private func logEverybodyIn(_ recorded: PeopleRecords) async throws {
        for replica in replicas {
            var outside = server.users.filter { !$0.isDeleted }.map(\.id)
            for _ in 0..<Self.roundsMax where !outside.isEmpty {
                var stillOutside: [String] = []
                for userId in outside where await !users.logIn(at: place(userId, at: replica)) {
                    stillOutside.append(userId)
                }
                outside = stillOutside
                guard !outside.isEmpty, replica.settings.usersMax < server.users.count else { break }
                await pass(ms: 65_000)
                for store in replica.stores?.all ?? [] { try await recorded.decide(in: store) }
            }
            for userId in outside { beliefs(of: replica).addFinding("\(userId) cannot log in without faults") }
        }
    }

    /// Exports and removes the data of a user whom the server has deleted, and whose changes can no longer be sent.
    private func forget(_ userId: String, at replica: PeopleReplica, _ recorded: PeopleRecords) async {
        let path = "/sync/users/\(userId)"
        for _ in 0..<Self.roundsMax {
            let export = await replica.send(.init(path: path + "/export", isMaster: true))
            if export?.status == 404 { return }
            let digest = export?.json?["digest"]?.string ?? ""
            let answer = await replica.send(
                .init(method: .delete, path: path, query: "exported=\(digest)", isMaster: true))
            if answer?.isSuccess == true { return recorded.noteForgotten(userId, at: replica.name) }
            await pass(ms: 5000)
        }
        beliefs(of: replica).addFinding("\(userId) cannot be forgotten")
    }

    /// Checks that each replica knows which of the sessions that it has used have ended. Sends a request with each
    /// session, lets the replicas sync, and sends the request again.
    private func checkSessions() async {
        for isLast in [false, true] {
            for replica in replicas {
                for user in server.users {
                    for token in users.tokens(of: user.id) {
                        let place = place(user.id, at: replica)
                        if isLast {
                            if await users.agree(about: token, at: place) { continue }
                            // The replica ends a session by its own clock, which can be a minute behind the server's.
                            await pass(ms: 65_000)
                            if await users.agree(about: token, at: place) { continue }
                            beliefs(of: replica).addFinding("a session that has ended is answered (\(token.suffix(6)))")
                        } else {
                            await users.askWho(at: place, token)
                        }
                    }
                }
            }
            if !isLast { for _ in 0..<2 { await pass(ms: 65_000) } }
        }
    }

    /// Checks that no change waits if its author has a session that the server accepts. Exceptions are changes of
    /// objects whose removal waits for a decision.
    private func checkQueues(at replica: PeopleReplica) async throws {
        var senders: Set<String> = []
        for token in beliefs(of: replica).openTokens() where await server.accepts(token) {
            guard let userId = server.server.users.user(ofSession: token),
                !users.mayHaveEnded(at: place(userId, at: replica))
            else { continue }
            senders.insert(userId)
        }
        for userId in senders.sorted() {
            guard let store = store(of: userId, at: replica) else { continue }
            let removals = try store.decisions.removals(as: .master)
            for entry in try await replica.product.queue(of: userId, in: store) where entry.awaits.isEmpty {
                if removals.contains(where: { $0.concerns(entry.objectId, of: entry.className) }) { continue }
                beliefs(of: replica).addFinding(
                    "a change of \(userId) to \(entry.objectId) waits, although the user has a session")
            }
        }
    }

    private func store(of userId: String, at replica: PeopleReplica) -> LocalStore? {
        replica.product.store(of: userId, in: replica.stores)
    }

    /// Lets users decide and replicas sync, until no change waits.
    /// - Returns: false if changes still wait after the last round.
    private func sendEverything(_ recorded: PeopleRecords) async throws -> Bool {
        var quietRounds = 0
        for round in 0..<Self.roundsMax {
            for replica in replicas {
                // A sync request also opens a closed file of a user. An audit finds objects whose readers changed
                // because of a role.
                for user in server.users {
                    let token = users.latestToken(of: user.id, at: replica.name)
                    _ = await replica.send(
                        .init(
                            method: .post, path: "/sync", query: round % 3 == 0 ? "audit=true" : nil, body: [:],
                            token: token))
                }
            }
            await pass(ms: 65_000)
            var waiting: [String] = []
            for replica in replicas {
                for store in replica.stores?.all ?? [] {
                    try await recorded.decide(in: store)
                    let figures = try await store.figures()
                    let count = figures.pending + figures.rejections + figures.conflicts + figures.removals
                    if count > 0 { waiting.append("\(replica.name) \(count)") }
                }
            }
            quietRounds = waiting.isEmpty ? quietRounds + 1 : 0
            if quietRounds == Self.quietRoundsMin { return true }
            if round == Self.roundsMax - 1, let replica = replicas.first {
                beliefs(of: replica).addFinding("changes or decisions wait without faults: \(waiting)")
            }
        }
        return false
    }

    /// Checks that a replica's lists and change feed show a user the same objects as the server.
    private func checkObjects(of userId: String, at replica: PeopleReplica) async throws {
        guard let token = users.latestToken(of: userId, at: replica.name) else { return }
        let place = place(userId, at: replica)
        // The file of the user may have been removed to make room for other users.
        for _ in 0..<2 {
            _ = await replica.send(.init(method: .post, path: "/sync", query: "wait=true", body: [:], token: token))
        }
        for className in PeopleServer.classes {
            let here = await users.list(className, at: place, token)
            let copy = await users.followed(className, at: place, token)
            if copy.map(Self.comparable) != Self.comparable(here) {
                beliefs(of: replica).addFinding(
                    "the feed shows \(userId) \(className) \(Self.comparable(copy ?? [])), the list \(Self.comparable(here))"
                )
            }
            let there = try server.objects(of: className, for: userId)
            let (shown, expected) = (Self.comparable(here), Self.comparable(there))
            guard shown != expected else { continue }
            // The replica shows a user also objects that the server has acknowledged and does not show to the user.
            let hidden = Self.comparable(try hiddenObjects(of: className, at: replica, of: userId))
            let extra = Set(shown).subtracting(expected).subtracting(hidden)
            let missing = Set(expected).subtracting(shown)
            if extra.isEmpty, missing.isEmpty { continue }
            beliefs(of: replica).addFinding(
                "\(userId) is shown \(className) \(extra.sorted()), and not \(missing.sorted())")
        }
    }

    func hiddenObjects(
        of className: String, at replica: PeopleReplica, of userId: String
    ) throws -> [JSONObject] {
        guard replica.product.followsServersRights, let store = store(of: userId, at: replica) else { return [] }
        return try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects.filter(\.isHidden).map
        {
            try $0.fields(of: className)
        }
    }

    static func comparable(_ objects: [JSONObject]) -> [String] {
        objects.map { object in
            let fields = ["objectId", "title", "a", "b", "ACL"].compactMap { name in
                object[name].map { "\(name) \(Self.sorted($0))" }
            }
            return fields.joined(separator: ", ")
        }.sorted()
    }

    /// The text of a value, with its members in alphabetical order.
    private static func sorted(_ value: JSONValue) -> String {
        guard let members = value.object else { return value.jsonText }
        return "{\(members.map { "\($0.key): \(sorted($0.value))" }.sorted().joined(separator: ", "))}"
    }

    /// Checks that each acknowledged write has reached the server under its author's session, or that its author was
    /// informed of its loss.
    private func checkWrites(_ recorded: PeopleRecords) {
        let history = server.server.history.withLock { $0 }
        let writes = users.writes
        for (index, write) in writes.enumerated() {
            guard let beliefs = beliefs[write.replica] else { continue }
            if let writer = history.writer(of: write.value, in: write.field, of: write.title) {
                if writer.author == write.userId { continue }
                if writer.author == nil, replica(named: write.replica)?.settings.sendsAsMaster == true { continue }
                beliefs.addFinding("\(write.value) of \(write.title) was written by \(writer.author ?? "nobody")")
            } else if write.isAcknowledged, !recorded.has(write.title),
                !recorded.hasForgotten(write.userId, at: write.replica),
                !recorded.hasForgotten(Self.creator(of: write.title), at: write.replica),
                !users.hasDeleted(write.title, write.userId, at: write.replica),
                !Self.isReplaced(write, by: writes[(index + 1)...])
            {
                beliefs.addFinding("\(write.value) of \(write.title) is lost")
            }
        }
        for title in history.titlesWithDuplicateMarks { trace.note("\(title) has a mark twice") }
        // If the answer to a create is lost, the create is sent again when its author cannot find the object: another
        // client has deleted the object, or has taken the right to read it from the author.
        for (title, count) in history.createCounts.sorted(by: { $0.key < $1.key })
        where count > 1 + history.deleteCounts[title, default: 0] + history.hideCounts[title, default: 0] {
            replicas.first.map { beliefs(of: $0).addFinding("\(title) was created \(count) times") }
        }
    }

    /// The id of the user who has created the object with this title. If the create is dropped together with its
    /// author's data, another user's change creates the object without the title.
    private static func creator(of title: String) -> String { String(title.split(separator: "-").last ?? "") }

    private func replica(named name: String) -> PeopleReplica? { replicas.first { $0.name == name } }

    private static func isReplaced(_ write: PeopleUsers.Write, by later: ArraySlice<PeopleUsers.Write>) -> Bool {
        later.contains {
            ($0.replica, $0.userId, $0.title, $0.field) == (write.replica, write.userId, write.title, write.field)
        }
    }
}
