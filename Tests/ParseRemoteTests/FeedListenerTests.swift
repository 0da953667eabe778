import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization
import Testing

@testable import ParseRemote

@Suite("Reports of another gateway's change feed", .timeLimit(.minutes(5)))
struct FeedListenerTests {
    /// A gateway whose change feed is at position 7, and sends on its streams what a test decides.
    private final class FakeHub: HTTPTransport {
        struct Stream: Sendable {
            let request: HTTPClientRequest
            let sink: HTTPResponseSink
            let end: CheckedContinuation<HTTPClientResponse, Never>
        }

        private let opened = Mutex<[Stream]>([])
        private let asked = Mutex<[HTTPClientRequest]>([])
        let newest: HTTPClientResponse

        init(newest: HTTPClientResponse = .make(["results": [], "next": 7])) { self.newest = newest }

        var streams: [Stream] { opened.withLock { $0 } }
        var requests: [HTTPClientRequest] { asked.withLock { $0 } }

        func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
            asked.withLock { $0.append(request) }
            return newest
        }

        func send(
            _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
        ) async throws(HTTPTransportError) -> HTTPClientResponse {
            await withCheckedContinuation { end in
                opened.withLock { $0.append(Stream(request: request, sink: sink, end: end)) }
            }
        }
    }

    private final class Sessions: TokenSource {
        let current: Mutex<String?>
        init(_ token: String?) { current = Mutex(token) }
        func token() async -> String? { current.withLock { $0 } }
        func renewed(after refused: String?) async -> String? { nil }
    }

    private let hub: FakeHub
    private static let holidays = PullQuery(className: "Holiday", conditions: ["n": 1], keys: ["objectId"])
    private static let birthdays = PullQuery(className: "Birthday", keys: ["objectId"])

    init() { hub = FakeHub() }

    /// Connects to a server whose LiveQuery nobody offers.
    private func signals(_ hub: FakeHub, sessions: (any TokenSource)? = nil) throws -> any RemoteChangeSignals {
        let environment = Environment(
            now: { ParseDate(milliseconds: 0) }, uptime: { .zero }, random: { .random(in: 0...(.max)) },
            sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        let url = "http://127.0.0.1:9/parse"
        let remote = ParseRemote(
            configuration: .init(
                serverURL: url, applicationId: "app", replicaId: "replica-1", sessions: sessions,
                liveQuery: LiveQueryAccess(url: url, environment: environment, connectTimeout: .seconds(5))),
            transport: hub)
        return try #require(remote.changeSignals)
    }

    private func stream(_ number: Int, of hub: FakeHub) async throws -> FakeHub.Stream {
        while hub.streams.count <= number {
            try Task.checkCancellation()
            await Task.yield()
        }
        return hub.streams[number]
    }

    private func send(_ text: String, on stream: FakeHub.Stream) -> Bool {
        Array(text.utf8).withUnsafeBytes { stream.sink($0) }
    }

    @Test func listenerReportsTheChangesOfItsClassesAfterTheNewestPosition() async throws {
        let listener = try await signals(hub).connect()
        #expect(listener.way == .changeFeed)
        listener.listen(to: [Self.holidays, Self.birthdays])
        let stream = try await stream(0, of: hub)
        #expect(stream.request.url.hasSuffix("/parse/changes?since=7&classes=Birthday%2CHoliday&objects=false"))
        #expect(stream.request.headers[.accept] == "text/event-stream")
        #expect(stream.request.isEndless)
        #expect(send("retry: 2000\nid: 7\n\n", on: stream))
        #expect(await listener.next() == .listening(refused: []))
        #expect(send("event: sync\ndata: {}\n\n: \n\nid: 8\nevent: change\ndata: {}\n\n", on: stream))
        #expect(await listener.next() == .changed)
        listener.close()
        #expect(!send("id: 9\nevent: change\ndata: {}\n\n", on: stream))
        stream.end.resume(returning: .make([:]))
        #expect(await listener.next() == nil)
    }

    @Test func otherClassesContinueAtTheLastPosition() async throws {
        let listener = try await signals(hub).connect()
        listener.listen(to: [Self.holidays])
        let first = try await stream(0, of: hub)
        #expect(send("id: 7\n\nid: 12\nevent: change\ndata: {}\n\n", on: first))
        #expect(await listener.next() == .listening(refused: []))
        #expect(await listener.next() == .changed)
        listener.listen(to: [Self.birthdays])
        let second = try await stream(1, of: hub)
        #expect(second.request.url.contains("since=12&classes=Birthday&"))
        #expect(!send("id: 13\nevent: change\ndata: {}\n\n", on: first))
        first.end.resume(returning: .make([:]))
        #expect(send("id: 12\n\n", on: second))
        // The end of the first stream has not ended the listener.
        #expect(await listener.next() == .listening(refused: []))
        second.end.resume(returning: .make([:]))
        #expect(await listener.next() == nil)
        #expect(listener.endReason == "the remote has ended the stream")
    }

    @Test func trimmedFeedIsAReasonToSync() async throws {
        let listener = try await signals(hub).connect()
        listener.listen(to: [Self.holidays])
        let stream = try await stream(0, of: hub)
        #expect(send("id: 7\n\nevent: gone\ndata: {\"code\":119}\n\n", on: stream))
        #expect(await listener.next() == .listening(refused: []))
        #expect(await listener.next() == .changed)
        stream.end.resume(returning: .make([:]))
        #expect(await listener.next() == nil)
    }

    @Test func streamIsOpenedUnderTheSessionOfTheUser() async throws {
        let sessions = Sessions("r:1")
        let listener = try await signals(hub, sessions: sessions).connect()
        listener.listen(to: [Self.holidays])
        let stream = try await stream(0, of: hub)
        #expect(stream.request.headers[.parseSessionToken] == "r:1")
        #expect(await listener.isCurrent())
        sessions.current.withLock { $0 = "r:2" }
        #expect(await !listener.isCurrent())
        listener.close()
        stream.end.resume(returning: .make([:]))
        sessions.current.withLock { $0 = nil }
        await #expect(throws: RemoteSignalsError.noSession) { try await signals(hub, sessions: sessions).connect() }
    }

    /// A Parse Server answers `GET /changes` with 404, and a gateway that does not know `objects` answers the stream with 400.
    @Test func serverWithoutAFeedIsAskedForLiveQuery() async throws {
        let parse = FakeHub(newest: .make(404, ["error": "Not found"]))
        let signals = try signals(parse)
        for _ in 0..<2 {
            await #expect {
                try await signals.connect()
            } throws: { if case RemoteSignalsError.failed = $0 { true } else { false } }
        }
        #expect(parse.requests.count == 1)
        let old = FakeHub()
        let others = try self.signals(old)
        let listener = try await others.connect()
        listener.listen(to: [Self.holidays])
        try await stream(0, of: old).end.resume(returning: .make(400, ["code": 102, "error": "Invalid parameter"]))
        #expect(await listener.next() == nil)
        #expect(listener.endReason == "the stream was refused with status 400")
        await #expect(throws: RemoteSignalsError.self) { try await others.connect() }
        #expect(old.requests.count == 1)
    }

    @Test func unreachableRemoteIsTriedAgain() async throws {
        let signals = try signals(FakeHub(newest: .make(503, ["code": 1, "error": "busy"])))
        await #expect {
            try await signals.connect()
        } throws: { if case RemoteSignalsError.failed = $0 { true } else { false } }
    }

    @Test func blocksAreReadFromPiecesOfAnyLength() {
        let text =
            "retry: 2000\r\nid: 7\r\n\r\n: \n\nid: ab-12\nevent:change\ndata: \(String(repeating: "x", count: 999))\n\n"
        let bytes = Array(text.utf8)
        for length in 1...bytes.count {
            var reader = EventStreamReader()
            var blocks: [EventStreamReader.Block] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                blocks += reader.take(bytes[start..<min(start + length, bytes.count)])
            }
            #expect(blocks == [.init(id: "7"), .init(), .init(id: "ab-12", name: "change")])
        }
    }
}
