import ParseModel
import RemoteService
import Synchronization
import Testing

/// The way to the remote, which all requests of a gateway share.
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

    @Test func aFailureOpensItAndAnyAnswerClosesIt() async throws {
        let closed = Mutex<[Int]>([])
        let (first, second) = (circuit.newId(), circuit.newId())
        for id in [first, second] { circuit.observe(id) { closed.withLock { $0.append(id) } } }
        try await succeed()
        #expect(!circuit.isOpen && closed.withLock { $0.isEmpty })
        await fail()
        #expect(circuit.isOpen)
        // The observer that reports an answer knows of it.
        circuit.noteAnswer(to: first)
        #expect(!circuit.isOpen && closed.withLock { $0 } == [second])
        circuit.removeObserver(second)
        circuit.noteFailure(reason: "gone")
        try await succeed()
        #expect(!circuit.isOpen && closed.withLock { $0 } == [second, first])
    }

    @Test func refusalsAreAnswers() async {
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

    /// However fast requests come, one attempt a second begins while the remote is away.
    @Test func oneAttemptBeginsInASecond() async {
        let began = clock.environment.uptime()
        for _ in 0..<10 { await fail() }
        #expect(attempts == 10)
        #expect(clock.environment.uptime() - began == .seconds(9))
    }

    /// Requests that come during an attempt share its failure, and go out after its success.
    @Test func othersShareTheVerdict() async throws {
        await fail()
        for isReached in [false, true] {
            circuit.noteFailure(reason: "refused")
            clock.advance(.seconds(1))
            let (gate, reached) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            let before = attempts
            let first = Task { [circuit] in
                try await circuit.send { () async throws(RemoteError) in
                    reached.continuation.yield()
                    for await _ in gate.stream { break }
                    if !isReached { throw .unreachable(reason: "refused") }
                }
            }
            for await _ in reached.stream { break }
            let second = Task { try await self.succeed() }
            // The second request has entered, or enters soon: both orders have the same effect.
            for _ in 0..<100 { await Task.yield() }
            #expect(attempts == before)
            gate.continuation.yield()
            if isReached {
                try await first.value
                try await second.value
                #expect(attempts == before + 1)
            } else {
                await #expect(throws: RemoteError.self) { try await first.value }
                // A request that has come after the attempt begins its own a second later.
                _ = await second.result
            }
        }
    }

    /// An attempt that hangs keeps nobody waiting who comes a second later, and an answer to that one frees the others.
    @Test func aHangingAttemptIsOvertaken() async throws {
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
        let sharing = Task { try await self.succeed() }
        clock.advance(.seconds(1))
        try await succeed()
        try await sharing.value
        #expect(attempts == 3)
        gate.continuation.yield()
        await #expect(throws: RemoteError.self) { try await hanging.value }
        // Its end says nothing about the way now.
        #expect(!circuit.isOpen)
    }
}
