import GatewayAPI
import RemoteService
import Synchronization
import Testing

/// Requests to a gateway whose remote accepts requests and does not answer for a while.
@Suite("Requests that wait for the remote", .timeLimit(.minutes(5)))
struct RemoteWaitsTests {
    private final class SilentRemote: RemoteCalls {
        private struct State {
            var isSilent = true
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
            await withCheckedContinuation { continuation in
                let isSilent = state.withLock { state in
                    if state.isSilent { state.waiting.append(continuation) }
                    return state.isSilent
                }
                if !isSilent { continuation.resume() }
            }
            return RemoteAnswer(status: .ok, headers: [.contentType: "application/json"], body: Array("{}".utf8))
        }

        func speak() {
            let waiting = state.withLock { state in
                state.isSilent = false
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test func callsThatWaitForTheRemoteUseABoundedShareOfTheConnections() async throws {
        let remote = SilentRemote()
        let gateway = Gateway.make(sync: FakeSync(), remote: remote)
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<300 { group.addTask { await gateway.send("POST /functions/f", body: "{}").status } }
            var counts: [Int: Int] = [:]
            for await status in group {
                counts[status, default: 0] += 1
                guard counts[503] == 44, counts[200] == nil else { continue }
                // The remote has not answered yet, and the gateway answers reads of local data.
                #expect(await gateway.send("GET /classes/Holiday").status == 200)
                #expect(await gateway.send("POST /functions/f", body: "{}").status == 503)
                remote.speak()
            }
            return counts
        }
        #expect(counts == [200: 256, 503: 44])
        #expect(await gateway.send("POST /functions/f", body: "{}").status == 200)
    }
}
