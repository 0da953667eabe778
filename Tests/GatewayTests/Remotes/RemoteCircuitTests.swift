import ParseModel
import RemoteService
import Synchronization
import Testing

/// Tests the circuit breaker of a remote, which all requests of a gateway share.
final class RemoteCircuitTests: Sendable {
    private let clock = TestClock()
    private let circuit: RemoteCircuit
    private let tried = Mutex(0)

    init() {
        circuit = RemoteCircuit(environment: clock.advancing)
    }

    private var attempts: Int { tried.withLock { $0 } }

    private func fail(_ error: RemoteError = .unreachable(reason: "refused")) async {
        await #expect(throws: RemoteError.self) {
            try await circuit.send { () async throws(RemoteError) in
                self.tried.withLock { $0 += 1 }
                throw error
            }
        }
    }

    private func succeed() async throws { try await circuit.send { self.tried.withLock { $0 += 1 } } }

    @Test func failureOpensTheCircuitBreakerAndAnyAnswerClosesIt() async throws {
        let closed = Mutex<[Int]>([])
        let (first, second) = (circuit.newId(), circuit.newId())
        for id in [first, second] { circuit.observe(id) { closed.withLock { $0.append(id) } } }
        try await succeed()
        #expect(!circuit.isOpen && closed.withLock { $0.isEmpty })
        await fail()
        #expect(circuit.isOpen)
        // An answer that an observer reports is passed on to the other observers only.
        circuit.noteAnswer(to: first)
        #expect(!circuit.isOpen && closed.withLock { $0 } == [second])
        circuit.removeObserver(second)
        circuit.noteFailure(reason: "gone", begunAt: clock.environment.uptime())
        try await succeed()
        #expect(!circuit.isOpen && closed.withLock { $0 } == [second, first])
    }

    @Test func refusalOfTheRemoteClosesTheCircuitBreaker() async {
        for error in [RemoteError.refused(code: 101, message: ""), .unauthorized(message: ""), .tooMuch(reason: "")] {
            await fail()
            await fail(error)
            #expect(!circuit.isOpen)
        }
        for error in [
            RemoteError.interrupted(reason: ""), .overloaded(retryAfter: nil, reason: ""),
            .faulty(status: 502, reason: ""), .misaddressed(status: 200, reason: "a web page"),
        ] {
            circuit.noteAnswer()
            await fail(error)
            #expect(circuit.isOpen)
        }
    }

    /// However many requests arrive, one attempt per second is sent while the remote is unreachable.
    @Test func openCircuitBreakerAllowsOneAttemptPerSecond() async {
        let began = clock.environment.uptime()
        for _ in 0..<10 { await fail() }
        #expect(attempts == 10)
        #expect(clock.environment.uptime() - began == .seconds(9))
    }

    /// A failed request that began before another one was answered does not show that the remote is unreachable,
    /// unless both belong to one observer.
    @Test func failureOfARequestOlderThanAnAnswerDoesNotOpenTheCircuitBreaker() {
        let (first, second) = (circuit.newId(), circuit.newId())
        let began = clock.environment.uptime()
        clock.advance(.seconds(1))
        circuit.noteAnswer(to: first)
        #expect(!circuit.noteFailure(reason: "stale", of: second, begunAt: began))
        #expect(!circuit.isOpen)
        #expect(circuit.noteFailure(reason: "gone in the middle of a sync", of: first, begunAt: began))
        #expect(circuit.isOpen)
    }

    /// An attempt while the circuit breaker is open, which ends when the test calls `end`, and a second request that
    /// waits for its result.
    private final class SharedAttempt: Sendable {
        let clock = TestClock()
        let circuit: RemoteCircuit
        let count: Counter
        private let gate = AsyncStream<RemoteError?>.makeStream()
        let first: Task<Void, any Error>
        let second: Task<Void, any Error>

        init() async {
            let circuit = RemoteCircuit(environment: clock.environment)
            self.circuit = circuit
            circuit.noteFailure(reason: "refused", begunAt: clock.environment.uptime())
            let reached = AsyncStream<Void>.makeStream()
            let (attempts, errors) = (Counter(), gate.stream)
            count = attempts
            first = Task {
                try await circuit.send { () async throws(RemoteError) in
                    attempts.add()
                    reached.continuation.yield()
                    for await error in errors {
                        if let error { throw error }
                        break
                    }
                }
            }
            for await _ in reached.stream { break }
            second = Task { try await circuit.send { attempts.add() } }
            // The second request waits for the attempt's result, with a time limit.
            while clock.waits.isEmpty { await Task.yield() }
        }

        func end(with error: RemoteError?) { gate.continuation.yield(error) }
    }

    /// Requests that wait during an attempt fail with it if it does not reach the remote.
    @Test func requestsWaitingForAnAttemptShareItsFailureToReachTheRemote() async throws {
        let shared = await SharedAttempt()
        shared.end(with: .unreachable(reason: "refused"))
        await #expect(throws: RemoteError.unreachable(reason: "refused")) { try await shared.second.value }
        #expect(shared.count.value == 1)
    }

    /// The waiting requests are sent if the attempt got an answer, or failed for a reason of its own, such as a slow
    /// function or a proxy's error page.
    @Test(arguments: [nil, RemoteError.interrupted(reason: "slow"), .faulty(status: 502, reason: "")])
    func requestsWaitingForAnAttemptAreSentIfItReachesTheRemote(error: RemoteError?) async throws {
        let shared = await SharedAttempt()
        shared.clock.advance(.seconds(1))
        shared.end(with: error)
        try await shared.second.value
        #expect(shared.count.value == 2)
    }

    @Test func cancelledRequestDoesNotWaitForAnotherAttempt() async throws {
        let shared = await SharedAttempt()
        shared.second.cancel()
        await #expect(throws: RemoteError.self) { try await shared.second.value }
        #expect(shared.count.value == 1)
        shared.end(with: nil)
        try await shared.first.value
    }

    /// Other requests wait at most one second for an attempt without an answer.
    @Test func hangingAttemptDelaysOtherRequestsForASecondAtMost() async throws {
        await fail()
        clock.advance(.seconds(1))
        let (gate, reached) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let hanging = Task { [circuit] in
            try await circuit.send { () async throws(RemoteError) in
                reached.continuation.yield()
                for await _ in gate.stream { break }
                throw .interrupted(reason: "no answer in time")
            }
        }
        for await _ in reached.stream { break }
        let began = clock.environment.uptime()
        try await succeed()
        #expect(attempts == 2)
        #expect(clock.environment.uptime() - began == .seconds(1))
        gate.continuation.yield()
        await #expect(throws: RemoteError.self) { try await hanging.value }
        // The hanging request began before the answer to another one, so its failure does not open the circuit
        // breaker.
        #expect(!circuit.isOpen)
    }

    /// The latest attempt has ended without a result for others. Requests in the same second must not share the result
    /// of an older attempt.
    @Test func waitingRequestDoesNotShareTheResultOfAnEarlierHangingAttempt() async throws {
        let (gate, reached, ended) = (
            AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()
        )
        // The older attempt ends while the request waits.
        let environment = Environment(
            now: clock.environment.now, uptime: clock.environment.uptime, random: clock.environment.random,
            sleep: { [clock] in
                gate.continuation.finish()
                for await _ in ended.stream {}
                clock.advance($0)
            })
        let circuit = RemoteCircuit(environment: environment)
        circuit.noteFailure(reason: "refused", begunAt: clock.environment.uptime())
        let hanging = Task {
            defer { ended.continuation.finish() }
            try await circuit.send { () async throws(RemoteError) in
                reached.continuation.yield()
                for await _ in gate.stream {}
                throw .unreachable(reason: "timed out")
            }
        }
        for await _ in reached.stream { break }
        clock.advance(.seconds(8))
        await #expect(throws: RemoteError.self) {
            try await circuit.send { () async throws(RemoteError) in throw .faulty(status: 502, reason: "") }
        }
        try await circuit.send { self.tried.withLock { $0 += 1 } }
        #expect(attempts == 1)
        await #expect(throws: RemoteError.self) { try await hanging.value }
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
