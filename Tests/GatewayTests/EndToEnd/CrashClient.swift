import ParseModel

/// One client of a replica that may be killed at any time. It records the effects that the received answers guarantee.
///
/// Each object is written by a single client, under a unique name, so that the client knows its expected state. All
/// clients share one counter.
struct CrashClient: Sendable {
    /// The values that the client has written to an object.
    struct Values: Sendable, Hashable {
        var note = 0
        var count = 0
    }

    struct Known: Sendable {
        /// The id in the answer to the create. It stays valid after the remote has assigned another id.
        var objectId: String
        var values: Values
    }

    enum Write: Sendable {
        case create(name: String)
        case note(name: String, Int)
        case increment(name: String, by: Int)
        case delete(name: String)
        case incrementShared
    }

    private static let objectsMin = 3
    private static let objectsMax = 30

    let number: Int
    /// The id of the counter that all clients increment.
    let sharedId: String
    private var random: SeededRandom
    private var made = 0
    /// For each object by name, the state that the acknowledged writes must have produced.
    private(set) var known: [String: Known] = [:]
    /// Acknowledged increments of the shared counter since the last check.
    var sharedIncrements = 0
    /// The write that got no answer because of a kill.
    private(set) var inFlight: Write?
    /// Wrong answers and states that a crash does not explain, one line each.
    private(set) var problems: [String] = []

    init(number: Int, sharedId: String, seed: UInt64) {
        self.number = number
        self.sharedId = sharedId
        random = SeededRandom(seed: seed &+ UInt64(number))
    }

    // MARK: Writing

    /// Writes until the round ends or the daemon stops answering.
    mutating func write(to daemon: Daemon, until moment: CrashMoment) async {
        while !moment.isOver {
            let write = next()
            guard let answer = try? await send(write, to: daemon) else {
                inFlight = write
                return
            }
            guard answer.status == 200 || answer.status == 201 else {
                problems.append("client \(number): \(write) was answered with \(answer.status) \(answer.json)")
                return
            }
            acknowledge(write, answer)
            await moment.note(.acknowledgement)
        }
    }

    private mutating func next() -> Write {
        let names = known.keys.sorted()
        guard names.count >= Self.objectsMin, let name = names.randomElement(using: &random) else { return create() }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2 where names.count < Self.objectsMax: return create()
        case 0...5: return .note(name: name, Int.random(in: 1...1_000_000, using: &random))
        case 6...8: return .increment(name: name, by: Int.random(in: 1...9, using: &random))
        case 9: return .incrementShared
        default: return .delete(name: name)
        }
    }

    private mutating func create() -> Write {
        made += 1
        return .create(name: "object \(number).\(made)")
    }

    private func send(_ write: Write, to daemon: Daemon) async throws -> Daemon.Answer {
        func path(_ name: String) -> String { "/classes/Holiday/\(known[name]?.objectId ?? "")" }
        switch write {
        case .create(let name):
            return try await daemon.send(.post, "/classes/Holiday", ["name": .string(name), "note": 0, "count": 0])
        case .note(let name, let note): return try await daemon.send(.put, path(name), ["note": .int(note)])
        case .increment(let name, let amount):
            return try await daemon.send(
                .put, path(name), ["count": ["__op": "Increment", "amount": .int(amount)]])
        case .delete(let name): return try await daemon.send(.delete, path(name))
        case .incrementShared:
            return try await daemon.send(
                .put, "/classes/Holiday/\(sharedId)", ["count": ["__op": "Increment", "amount": 1]])
        }
    }

    private mutating func acknowledge(_ write: Write, _ answer: Daemon.Answer) {
        switch write {
        case .create(let name):
            known[name] = Known(objectId: answer.json.object?["objectId"]?.string ?? "", values: Values())
        case .note(let name, let note): known[name]?.values.note = note
        case .increment(let name, let amount): known[name]?.values.count += amount
        case .delete(let name): known[name] = nil
        case .incrementShared: sharedIncrements += 1
        }
    }

    // MARK: Checking

    /// Compares the daemon's objects with the acknowledged writes, and finds out whether the write without an answer
    /// was executed.
    mutating func check(against seen: [String: Known]) {
        var allowed: [String: [Values?]] = known.mapValues { [$0.values] }
        switch inFlight {
        case .create(let name): allowed[name] = [nil, Values()]
        case .note(let name, let note): allow(name) { $0.note = note }
        case .increment(let name, let amount): allow(name) { $0.count += amount }
        case .delete(let name): allowed[name]?.append(nil)
        case .incrementShared, nil: break
        }
        func allow(_ name: String, _ change: (inout Values) -> Void) {
            guard var values = known[name]?.values else { return }
            change(&values)
            allowed[name]?.append(values)
        }
        for (name, values) in allowed.sorted(by: { $0.key < $1.key }) {
            let found = seen[name]
            if !values.contains(found?.values) {
                problems.append(
                    "client \(number): \(name) is \(text(found?.values)), not \(values.map(text)); "
                        + "in flight was \(inFlight.map { "\($0)" } ?? "nothing")")
            }
            let objectId = known[name]?.objectId ?? found?.objectId ?? ""
            known[name] = found.map { Known(objectId: objectId, values: $0.values) }
        }
        inFlight = nil
    }

    private func text(_ values: Values?) -> String { values.map { "note \($0.note) count \($0.count)" } ?? "absent" }
}
