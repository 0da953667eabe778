/// The source of time, randomness and delays. Tests and the simulation replace it. Only `ReadWatch` and `Acceptor` wait
/// by the system's clock.
package struct Environment: Sendable {
    /// The wall clock, for timestamps. It can jump, so durations use `uptime`.
    package var now: @Sendable () -> ParseDate
    /// The monotonic clock, for durations: the time since an arbitrary fixed point.
    package var uptime: @Sendable () -> Duration
    /// 64 random bits.
    package var random: @Sendable () -> UInt64
    /// Suspends the task for a duration.
    /// - Throws: `CancellationError` if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The executor of the tasks that `task` starts; nil for the default executor. A simulation runs all its tasks on
    /// one executor. Passwords are then hashed, and long reads run, on the threads of their callers.
    package var executor: (any TaskExecutor)?

    package init(
        now: @escaping @Sendable () -> ParseDate,
        uptime: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        executor: (any TaskExecutor)? = nil
    ) {
        self.now = now
        self.uptime = uptime
        self.random = random
        self.sleep = sleep
        self.executor = executor
    }

    /// Starts a task that outlives its caller. All such tasks of a gateway are started here, because a task without a
    /// parent does not inherit the executor.
    @discardableResult
    package func task<Success: Sendable>(
        _ work: @escaping @Sendable () async -> Success
    ) -> Task<Success, Never> {
        Task(executorPreference: executor, operation: work)
    }

    /// Starts a task that outlives its caller and can fail.
    @discardableResult
    package func task<Success: Sendable>(
        _ work: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(executorPreference: executor, operation: work)
    }

    /// Whether blocking work, such as hashing a password, runs on threads of its own.
    package var hasThreads: Bool { executor == nil }

    /// A new Parse objectId: ten characters of `A–Z a–z 0–9`, about 59 random bits.
    package func objectId() -> String { characters(Self.objectIdLength) }

    /// The number of characters of a generated objectId.
    static let objectIdLength = 10

    /// A new id of twenty characters of `A–Z a–z 0–9`: the id of a replica, an incoming file, or a request to the remote.
    package func requestId() -> String { characters(20) }

    /// A new secret key: forty characters of `A–Z a–z 0–9`, about 238 random bits.
    package func secret() -> String { characters(40) }

    /// A new session token: `r:` and 128 random bits in hexadecimal, as on a Parse Server.
    package func sessionToken() -> String {
        "r:" + hexadecimal32()
    }

    /// A new name for a user who has chosen none: twenty-five characters of `A–Z a–z 0–9`.
    package func username() -> String { characters(25) }

    /// 128 random bits as 32 hexadecimal digits.
    package func hexadecimal32() -> String {
        Hexadecimal.text(
            of: [random(), random()].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            })
    }

    private func characters(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let letters = (0..<count).map { _ in
            alphabet[Int(random().multipliedFullWidth(by: UInt64(alphabet.count)).high)]
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
