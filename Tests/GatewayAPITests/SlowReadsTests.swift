import Foundation
import HTTPServer
import LocalStore
import Synchronization
import Testing

@testable import GatewayAPI

@Suite("Reads that take long", .timeLimit(.minutes(1)))
struct SlowReadsTests {
    private let reads = SlowReads()

    /// Reads that end when they are told.
    private final class Blocked: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let begun = Atomic(0)
        var count: Int { begun.load(ordering: .relaxed) }

        func read() {
            begun.add(1, ordering: .relaxed)
            gate.wait()
        }

        func release(_ count: Int) { for _ in 0..<count { gate.signal() } }

        func wait(for count: Int) async { while self.count < count { await Task.yield() } }
    }

    @Test(arguments: SlowReads.Kind.allCases)
    func noKindKeepsAnotherWaiting(_ kind: SlowReads.Kind) async throws {
        let blocked = Blocked()
        let tasks = (0..<20).map { _ in Task { await self.reads.run(kind) { blocked.read() } } }
        await blocked.wait(for: 2)
        for other in SlowReads.Kind.allCases where other != kind {
            #expect(try await reads.run(other) { 7 }.get() == 7)
        }
        blocked.release(20)
        for task in tasks { try await task.value.get() }
        #expect(blocked.count == 20)
    }

    @Test func moreThanMayWaitAreRefused() async throws {
        let blocked = Blocked()
        let tasks = (0..<300).map { _ in Task { await self.reads.run(.batchItem) { blocked.read() } } }
        blocked.release(300)
        var refused = 0
        for task in tasks {
            if case .failure(let error) = await task.value {
                #expect(error as? APIError == .busy)
                refused += 1
            }
        }
        #expect(blocked.count + refused == 300)
        #expect(ErrorAnswer(APIError.busy).status == .serviceUnavailable)
    }

    @Test func readForAClientThatHasLeftIsNotBegun() async {
        let client = HTTPClientPresence()
        client.leave()
        let result = await reads.run(for: client) { Issue.record("the read has begun") }
        #expect(throws: StoreError.tookTooLong) { try result.get() }
    }

    @Test func readThatRunsLearnsThatItsClientHasLeft() async throws {
        let client = HTTPClientPresence()
        let begun = Mutex(false)
        async let result = reads.run(for: client) {
            begun.withLock { $0 = true }
            while ReadInterest.isWanted() { Thread.sleep(forTimeInterval: 0) }
            return 7
        }
        while !begun.withLock({ $0 }) { await Task.yield() }
        client.leave()
        let value = try await result.get()
        #expect(value == 7)
        #expect(ReadInterest.isWanted())
    }
}
