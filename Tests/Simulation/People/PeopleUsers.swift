import HTTPTypes
import ParseModel
import Synchronization

/// The users of a `PeopleWorld`: their sessions, their actions at the replicas, and their acknowledged writes.
final class PeopleUsers: Sendable {
    /// A write of one field.
    struct Write: Sendable {
        let replica: String
        let userId: String
        let title: String
        let field: String
        let value: String
        /// Whether the replica has answered the write. False if the process ended before the answer. The write may then
        /// still have replaced an earlier unsent write.
        var isAcknowledged = true
    }

    private struct State {
        /// The tokens of each user, in the order of the log-ins, with the replica of the log-in; nil for the server.
        var tokens: [String: [(token: String, replica: String?)]] = [:]
        /// The tokens of the sessions that a replica has opened by itself, without the server.
        var local: Set<String> = []
        var writes: [Write] = []
        /// The deleted objects, as `replica/userId/title`. In a site, all users share the objects, so the form is
        /// `replica/title`.
        var deleted: Set<String> = []
        var count = 0
    }

    let server: PeopleServer
    let feeds = PeopleFeeds()
    private let locks = LockCheck()
    let random: PartyRandom
    /// Decides which new objects have a file. Half of the runs have no files.
    let fileRandom: PartyRandom
    let fileShare: Double
    private let trace: Trace
    private let state = Mutex(State())

    init(server: PeopleServer, seed: UInt64, trace: Trace) {
        self.server = server
        random = PartyRandom(seed: seed, of: "people")
        fileRandom = PartyRandom(seed: seed, of: "image")
        fileShare = fileRandom.chance(0.5) ? 0.3 : 0
        self.trace = trace
    }

    var writes: [Write] { state.withLock { $0.writes } }

    func hasDeleted(_ title: String, _ userId: String, at replica: String) -> Bool {
        state.withLock {
            $0.deleted.contains("\(replica)/\(userId)/\(title)") || $0.deleted.contains("\(replica)/\(title)")
        }
    }

    func tokens(of userId: String) -> [String] { state.withLock { $0.tokens[userId]?.map(\.token) ?? [] } }

    /// The latest session of a user that was opened at a replica.
    func latestToken(of userId: String, at replica: String) -> String? {
        state.withLock { $0.tokens[userId]?.last { $0.replica == replica }?.token }
    }

    private func add(_ token: String, of userId: String, at replica: String?) {
        state.withLock { $0.tokens[userId, default: []].append((token, replica)) }
    }

    func next(_ prefix: String, _ userId: String) -> String {
        state.withLock { state in
            state.count += 1
            return "\(prefix)\(state.count)-\(userId)"
        }
    }

    /// A client of one user at one replica.
    struct Client: Sendable {
        let replica: PeopleReplica
        let beliefs: PeopleBeliefs
        let userId: String
    }

    // MARK: Actions

    /// Performs a random action of a user at a replica.
    func act(at place: Client) async {
        switch random.below(29) {
        case 28: await claimRole(at: place, token(at: place))
        case 24, 25, 26: if let token = token(at: place) { await feeds.follow(at: place, token, self) }
        case 27: if let token = token(at: place) { await feeds.useForeignPosition(at: place, token, self) }
        case 20: await signUp(at: place.replica, place.beliefs)
        case 21: await changePassword(at: place)
        case 22, 23: await askWho(at: place, token(at: place))
        case 0, 1: await logIn(at: place)
        case 2: await tryWrongPassword(at: place)
        case 3: await logOut(at: place)
        case 4: await useForeignToken(at: place)
        case 5: await useEndedToken(at: place)
        case 6, 7, 8: await read(at: place, token(at: place))
        case 9, 10, 11, 12: await create(at: place, token(at: place))
        default: await change(at: place, token(at: place))
        }
    }

    private func token(at place: Client) -> String? { latestToken(of: place.userId, at: place.replica.name) }

    /// Logs a user in with the present password.
    /// - Returns: whether the log-in has succeeded.
    @discardableResult
    func logIn(at place: Client) async -> Bool {
        guard let user = server.user(place.userId) else { return false }
        return await logIn(user.password, at: place) != nil
    }

    /// Logs a user in with the present password, and tells who has opened the session.
    /// - Returns: true if the server has opened it, false if the replica has opened it by itself or the log-in has
    ///   failed.
    func logInOnline(at place: Client) async -> Bool {
        guard let user = server.user(place.userId) else { return false }
        return await logIn(user.password, at: place)?.isOffline == false
    }

    /// Logs a user in with an earlier password, or with a password that the user has never had.
    private func tryWrongPassword(at place: Client) async {
        guard let user = server.user(place.userId) else { return }
        let earlier = random.chance(0.8) ? user.passwords.dropLast().last : nil
        await logIn(earlier ?? "wrong", at: place)
    }

    /// Logs a user in.
    /// - Returns: the answer; nil if the log-in has failed.
    @discardableResult
    private func logIn(_ password: String, at place: Client) async -> PeopleReplica.Answer? {
        guard let user = server.user(place.userId) else { return nil }
        let mayOpen = place.beliefs.mayOpen(user.id, password)
        let answer = await send(
            .init(
                method: .post, path: "/login",
                body: ["username": .string(user.name), "password": .string(password)]), at: place)
        guard let answer, answer.isSuccess else { return nil }
        guard let token = answer.json?["sessionToken"]?.string else {
            place.beliefs.addFinding("a log-in succeeds without a session")
            return nil
        }
        if answer.isOffline, !mayOpen {
            place.beliefs.addFinding("\(password) opens the data of \(user.id) without the server")
        }
        add(token, of: user.id, at: place.replica.name)
        if answer.isOffline { state.withLock { _ = $0.local.insert(token) } }
        place.beliefs.noteLogIn(token, of: user.id, password, isOffline: answer.isOffline)
        return answer
    }

    /// Signs a new user up.
    private func signUp(at replica: PeopleReplica, _ beliefs: PeopleBeliefs) async {
        guard server.users.count < Self.usersMax else { return }
        let (name, password) = (next("name", "new"), server.newPassword())
        if !replica.hasEnded { beliefs.takeEndings() }
        let request = PeopleReplica.Request(
            method: .post, path: "/users", body: ["username": .string(name), "password": .string(password)])
        var answer = await replica.send(request)
        // The server may have created the user although its answer was lost.
        for _ in 0..<Self.repetitionsMax where answer?.code == 100 {
            answer = await replica.send(request)
            if answer?.code == 202, answer?.json?["error"]?.string?.contains("og in") != true {
                beliefs.addFinding("a sign-up is refused because of its own first attempt")
            }
        }
        guard let token = answer?.json?["sessionToken"]?.string, let id = answer?.json?["objectId"]?.string else {
            if answer?.isSuccess == true { beliefs.addFinding("a sign-up succeeds without a session") }
            return
        }
        add(token, of: id, at: replica.name)
        beliefs.noteLogIn(token, of: id, password, isOffline: false)
        await list("Note", at: Client(replica: replica, beliefs: beliefs, userId: id), token)
    }

    private static let usersMax = 5
    private static let repetitionsMax = 2

    /// Changes the password of a user at the user's request.
    private func changePassword(at place: Client) async {
        guard let token = token(at: place) else { return }
        let body: JSONObject = ["password": .string(server.newPassword())]
        let answer = await send(
            .init(method: .put, path: "/users/\(place.userId)", body: body, token: token), at: place)
        guard answer?.status == 200 else { return }
        place.beliefs.noteNewPassword(of: place.userId)
        if let new = answer?.json?["sessionToken"]?.string { add(new, of: place.userId, at: place.replica.name) }
    }

    /// Requests the data of the user to whom the session belongs.
    /// - Returns: whether the replica accepts the session.
    @discardableResult
    func askWho(at place: Client, _ token: String?) async -> Bool {
        guard let token else { return false }
        let answer = await send(.init(path: "/users/me", token: token), at: place) { answer in
            let id = answer.json?["objectId"]?.string
            if answer.isSuccess, id != place.userId {
                place.beliefs.addFinding("the session of \(place.userId) is that of \(id ?? "nobody")")
            }
        }
        return answer?.isSuccess == true
    }

    private func logOut(at place: Client) async {
        guard let token = token(at: place) else { return }
        place.beliefs.noteLeaving(token)
        if random.chance(0.15) { return await logOutInBatch(at: place, token) }
        if random.chance(0.3) {
            let answer = await send(.init(method: .delete, path: "/sessions/me", token: token), at: place)
            if answer?.status == 200 { place.beliefs.noteLogOut(token) }
            return
        }
        let answer = await send(.init(method: .post, path: "/logout", body: [:], token: token), at: place)
        if answer?.status == 200 { place.beliefs.noteLogOut(token) }
    }

    /// Logs a user in at the server directly, and uses the session at the replica.
    private func useForeignToken(at place: Client) async {
        guard let user = server.user(place.userId) else { return }
        let foreign = state.withLock { $0.tokens[user.id]?.last { $0.replica == nil }?.token }
        var token = random.chance(0.2) ? "r:unknown" : foreign
        if token == nil || random.chance(0.3) {
            let answer = await server.call(
                .post, "/login", ["username": .string(user.name), "password": .string(user.password)])
            guard let new = answer.json?["sessionToken"]?.string else { return }
            add(new, of: user.id, at: nil)
            token = new
        }
        await read(at: place, token)
    }

    private func useEndedToken(at place: Client) async {
        await read(at: place, random.pick(tokens(of: place.userId).filter(place.beliefs.hasEnded)))
    }

    // MARK: Writes

    func noteWrite(
        _ title: String, _ field: String, _ value: String, at place: Client, isAcknowledged: Bool = true
    ) {
        state.withLock {
            $0.writes.append(
                Write(
                    replica: place.replica.name, userId: place.userId, title: title, field: field, value: value,
                    isAcknowledged: isAcknowledged))
        }
    }

    func noteDeletion(of title: String, at place: Client) {
        let data = place.replica.product.nameOfData(of: place.userId, at: place.replica.name)
        state.withLock { _ = $0.deleted.insert("\(data)/\(title)") }
    }

    // MARK: Requests

    /// Counts the ends of sessions that the server has reported as known to the replica. If the process has crashed, it
    /// may not have stored them, so they do not count.
    private func takeEndings(at place: Client) {
        if !place.replica.hasEnded { place.beliefs.takeEndings() }
    }

    /// Sends a request, and checks that an ended or unknown session is refused.
    @discardableResult
    func send(
        _ request: PeopleReplica.Request, at place: Client,
        check: @escaping @Sendable (PeopleReplica.Answer) -> Void = { _ in }
    ) async -> PeopleReplica.Answer? {
        let beliefs = place.beliefs
        takeEndings(at: place)
        let token = request.path == "/logout" ? nil : request.token
        let hasEnded = token.map(beliefs.hasEnded) ?? false
        let isUnknown = token.map(beliefs.isUnknown) ?? false && place.replica.network.isOffline
        let wasLockedOut = locks.isLockedOut(place.userId, at: place.replica)
        let answer = await place.replica.send(request) { [locks] answer in
            if answer.isSuccess, token != nil || answer.isOffline, wasLockedOut,
                locks.isLockedOut(place.userId, at: place.replica)
            {
                beliefs.addFinding("\(request.path) is answered to \(place.userId), who is locked out")
            }
            check(answer)
        }
        guard let answer, let token else { return answer }
        if hasEnded, answer.isSuccess {
            beliefs.addFinding(
                "\(request.method.rawValue) \(request.path) is answered under an ended session (\(token.suffix(6)))")
        }
        if isUnknown, answer.status != 503 || answer.code != 100 {
            beliefs.addFinding("an unknown session without the server gets \(answer.status) \(answer.code ?? 0)")
        }
        if answer.isSuccess { beliefs.noteUse(of: token) }
        takeEndings(at: place)
        if answer.code == 209, !beliefs.hasEnded(token), !beliefs.isLeaving(token), !mayHaveEnded(at: place),
            await server.accepts(token)
        {
            beliefs.addFinding(
                "\(request.method.rawValue) \(request.path) is refused under a valid session (\(token.suffix(6)))")
        }
        return answer
    }

    /// Whether the replica and the server agree that a session is valid. A session that the replica has opened by
    /// itself is valid only there.
    func agree(about token: String, at place: Client) async -> Bool {
        if state.withLock({ $0.local.contains(token) }) { return true }
        guard await askWho(at: place, token) else { return true }
        return await server.accepts(token)
    }

    /// Whether a site replica may have ended the user's sessions because the user was once locked out.
    func mayHaveEnded(at place: Client) -> Bool {
        place.replica.product.knowsLocks && server.user(place.userId)?.wasLocked == true
    }
}
