/// Long outages of the server, and the requests that must succeed as soon as the server is back.
extension PeopleWorld {
    private static let outagesMs = [5000, 60_000, 300_000, 1_500_000]
    /// The maximum time in milliseconds from the return of the server to the answer to a log-in. An attempt that failed
    /// just before the return delays the next one by a second. In addition, the log-in and a request about its session
    /// take time on the network.
    private static let logInMsMax: Int64 = 2000
    /// The code of the server's answer to a call of a function that it does not have.
    private static let unknownFunction = 141

    /// Disconnects a replica from the server for some time, in which users go on working. When the server is back, a
    /// user logs in at once.
    func sitOut(at replica: PeopleReplica) async throws {
        let spanMs = random.pick(Self.outagesMs) ?? 5000
        trace.note("\(replica.name) is cut off for \(spanMs) ms")
        replica.network.conditions.withLock { $0 = PeopleTransport.Conditions(isOffline: true) }
        let endMs = time.nowMs + Int64(spanMs)
        while time.nowMs < endMs, !replica.hasEnded {
            if let user = random.pick(server.users) { await users.act(at: place(user.id, at: replica)) }
            await pass(ms: random.within(1...max(1, spanMs / 3)))
        }
        replica.network.conditions.withLock { $0 = PeopleTransport.Conditions() }
        trace.note("\(replica.name) is back")
        guard !replica.hasEnded, replica.settings.usersMax >= server.users.count,
            let user = random.pick(server.users.filter { !$0.isLocked && !$0.isDeleted })
        else { return }
        await checkReturn(of: user.id, at: replica)
    }

    /// Checks that a log-in, a function and the syncs do not wait although the server is back.
    private func checkReturn(of userId: String, at replica: PeopleReplica) async {
        let (place, beliefs, beganMs) = (place(userId, at: replica), beliefs(of: replica), time.nowMs)
        let answer = await users.logInOnline(at: place)
        guard !replica.hasEnded else { return }
        guard answer, let token = users.latestToken(of: userId, at: replica.name) else {
            return beliefs.addFinding("a log-in fails although the server is back")
        }
        if time.nowMs - beganMs > Self.logInMsMax { beliefs.addFinding("a log-in takes \(time.nowMs - beganMs) ms") }
        let function = await replica.send(
            .init(method: .post, path: "/functions/unknown", body: [:], token: token, isUrgent: true))
        guard !replica.hasEnded else { return }
        if function?.code != Self.unknownFunction {
            beliefs.addFinding("a function gets \(function?.status ?? 0) although the server is back")
        }
        await pass(ms: 1000)
        for request in [PeopleReplica.Request(path: "/sync", isMaster: true), .init(path: "/sync", token: token)] {
            let status = await replica.send(request)
            guard !replica.hasEnded else { return }
            guard status?.json?["circuit"]?.object?["state"] == "open" else { continue }
            beliefs.addFinding("a sync waits although the server is back")
        }
    }
}
