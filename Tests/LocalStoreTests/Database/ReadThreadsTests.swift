import Testing

@testable import LocalStore

@Suite("Read threads")
struct ReadThreadsTests {
    /// Whether the current thread runs a Swift task. A thread of the cooperative pool does, a read thread of the store
    /// does not.
    private static var runsTask: Bool { withUnsafeCurrentTask { $0 != nil } }

    @Test func anAsyncReadRunsOutsideTheCooperativePool() async throws {
        let threads = ReadThreads(count: 2)
        #expect(try await !threads.run { Self.runsTask })
    }

    @Test func aReadWithoutReadThreadsRunsOnTheCallersExecutor() async throws {
        let threads = ReadThreads(count: 0)
        #expect(try await threads.run { Self.runsTask })
    }

    @Test func theErrorOfAnAsyncReadReachesItsCaller() async {
        struct Failure: Error {}
        let threads = ReadThreads(count: 2)
        await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
    }

    /// There are more reads than threads. Each read is executed, even after the threads were idle.
    @Test func everyAsyncReadIsExecuted() async throws {
        let threads = ReadThreads(count: 2)
        for _ in 0..<3 {
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...50 { group.addTask { try await threads.run { number } } }
                return try await group.reduce(0, +)
            }
            #expect(sum == 1275)
        }
    }
}
