/// What a deterministic run must be able to replace: time, randomness and waiting. Nothing else asks the system for them.
package struct Environment: Sendable {
    /// The wall clock; good for stamps, not for measuring waits.
    package var now: @Sendable () -> ParseDate
    /// Time since some fixed point, never set back; for waits and durations.
    package var uptime: @Sendable () -> Duration
    /// 64 random bits.
    package var random: @Sendable () -> UInt64
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> ParseDate,
        uptime: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.random = random
        self.sleep = sleep
    }

    /// A new id in the form of a Parse objectId: ten of `A–Z a–z 0–9`, about 59 bits.
    package func objectId() -> String { letters(10) }

    /// An id for one push of one operation: twenty of `A–Z a–z 0–9`.
    package func requestId() -> String { letters(20) }

    /// A key that nobody can guess: forty of `A–Z a–z 0–9`, about 238 bits.
    package func secret() -> String { letters(40) }

    private func letters(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let letters = (0..<count).map { _ in
            alphabet[Int(random().multipliedFullWidth(by: UInt64(alphabet.count)).high)]
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
