import Foundation
import HTTPServer
import StoreService
import Synchronization
import Testing

@testable import GatewayAPI

@Suite("Slow reads and their threads", .timeLimit(.minutes(5)))
struct BlockingReadsTests {
    private let reads = BlockingReads()

    /// Simulated reads that block until the test calls `release`.
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

    @Test(arguments: BlockingReads.Kind.allCases)
    func slowReadsOfOneKindDoNotDelayReadsOfAnotherKind(_ kind: BlockingReads.Kind) async throws {
        let blocked = Blocked()
        let tasks = (0..<20).map { _ in Task { await self.reads.run(kind) { blocked.read() } } }
        await blocked.wait(for: 2)
        for other in BlockingReads.Kind.allCases where other != kind {
            #expect(try await reads.run(other) { 7 }.get() == 7)
        }
        blocked.release(20)
        for task in tasks { try await task.value.get() }
        #expect(blocked.count == 20)
    }

    @Test func readsBeyondTheQueueLimitAreRefused() async throws {
        let blocked = Blocked()
        let counts = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            for _ in 0..<300 { group.addTask { await self.reads.run(.batchItem) { blocked.read() } } }
            var counts = (answered: 0, refused: 0)
            for await result in group {
                switch result {
                case .success: counts.answered += 1
                case .failure(let error):
                    #expect(error as? APIError == .busy)
                    counts.refused += 1
                    // The accepted reads block until the test releases them here.
                    if counts.refused == 200 { blocked.release(300) }
                }
            }
            return counts
        }
        #expect(counts.answered + counts.refused == 300)
        #expect((200...204).contains(counts.refused))
        #expect(ErrorAnswer(APIError.busy).status == .serviceUnavailable)
    }

    @Test func readForDisconnectedClientIsNotStarted() async {
        let client = HTTPClientPresence()
        client.leave()
        let result = await reads.run(for: client) { Issue.record("the read has begun") }
        #expect(throws: StoreError.tookTooLong) { try result.get() }
    }

    @Test func disconnectedClientMakesItsReadUnwanted() {
        let client = HTTPClientPresence()
        let timeout = ReadTimeout(.seconds(20), for: client)
        #expect(timeout.isWanted())
        client.leave()
        #expect(!timeout.isWanted())
        #expect(timeout.duration == .seconds(20))
    }
}
