import Foundation
import GatewayAPI
import HTTPServer
import LocalStore
import ParseModel
import StoreService
import Testing

@testable import Gateway

/// Tests change streams with a real database and real sockets.
@Suite("Change streams over sockets", .serialized, .timeLimit(.minutes(5)))
struct ChangeStreamServerTests {
    private let directory: TemporaryDirectory
    private let hub: Hub
    private let server: HTTPServer

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock())
        server = try HTTPServer(
            configuration: HTTPServer.Configuration(), handler: hub.api, uptime: Environment.live.uptime,
            sleep: { try await Task.sleep(for: $0) },
            refusal: hub.api.refusal)
    }

    private func connect(_ query: String = "", lastEventID: Int? = nil) throws -> EventConnection {
        try EventConnection(port: server.port, query, lastEventID: lastEventID)
    }

    /// - Parameter writers: the number of concurrent writers, which share transactions.
    private func write(_ count: Int, writers: Int = 8, _ body: JSONObject = ["name": "Easter"]) async throws {
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for _ in 0..<(count / writers + (writer < count % writers ? 1 : 0)) {
                        try await hub.store.create("Holiday", body)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func twoHundredChangeStreamsGetAllChanges() async throws {
        let (streams, changes) = (200, 500)
        try await write(50)
        let connections = try (0..<streams).map { _ in try connect() }
        for connection in connections { await connection.read(until: "id: 50\nevent") }
        async let written: Void = write(changes)
        let counts = await withTaskGroup { group in
            for connection in connections {
                group.addTask {
                    EventConnection.numbers(await connection.read(until: "id: \(50 + changes)\nevent"))
                        == Array(1...50 + changes)
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try await written
        #expect(counts == streams)
        await server.stop(grace: .seconds(60))
    }

    @Test func stoppingTheServerEndsOpenChangeStreams() async throws {
        let connections = try (0..<20).map { _ in try connect() }
        for connection in connections { await connection.read(until: "id: 0\n") }
        await server.stop(grace: .seconds(60))
        for connection in connections { #expect(await connection.readAll().hasPrefix("HTTP/1.")) }
    }

    @Test func changesAndSyncStatusArriveInOrderInAChangeStream() async throws {
        let connection = try connect("?since=latest")
        await connection.read(until: "event: sync\n")
        let id = try await hub.store.create("Holiday", ["name": "Easter"])
        try await hub.store.update("Holiday", id, ["name": "Whitsun"])
        try await hub.store.delete("Holiday", id)
        let text = await connection.read(until: #""kind":"delete""#)
        #expect(text.contains("Content-Type: text/event-stream\r\n"))
        #expect(EventConnection.numbers(text) == [1, 2, 3])
        #expect(text.contains(#"data: {"mode":"standalone","state":"idle""#))
        await server.stop(grace: .seconds(60))
    }

    /// The clients start to read only after more has been written than the sockets can buffer.
    @Test func changeStreamReaderThatPausesMissesNoChange() async throws {
        let sleeper = try connect()
        await sleeper.read(until: "id: 0\n")
        let large: JSONObject = ["text": .string(String(repeating: "a", count: 20_000))]
        try await write(1500, large)
        try await write(500)
        let text = await sleeper.read(until: "id: 2000\nevent")
        #expect(EventConnection.numbers(text) == Array(1...2000))
        await server.stop(grace: .seconds(60))
    }

    /// The reader pauses until the stream is further behind than the lag limit allows.
    @Test func changeStreamReaderThatPausesTooLongIsDisconnectedAndCanReconnect() async throws {
        var limits = RequestLimits()
        limits.streamLagMax = 100
        let api = Standalone.api(
            APIParts(
                store: hub.store.objects, configuration: .init(mode: .standalone, version: "test", limits: limits),
                environment: TestClock().environment, logger: .quiet),
            accounts: nil)
        let strict = try HTTPServer(
            configuration: HTTPServer.Configuration(), handler: api, uptime: Environment.live.uptime,
            sleep: { try await Task.sleep(for: $0) },
            refusal: api.refusal)
        let sleeper = try EventConnection(port: strict.port)
        try await write(1)
        await sleeper.read(until: "id: 1\nevent")
        try await write(1500, ["text": .string(String(repeating: "a", count: 20_000))])
        let read = EventConnection.numbers(await sleeper.readAll())
        #expect(read == Array(1...read.count) && read.count < 1501)
        let again = try EventConnection(port: strict.port, lastEventID: read.count)
        let rest = EventConnection.numbers(await again.read(until: "id: 1501\nevent"))
        #expect(rest == Array(read.count + 1...1501))
        await strict.stop(grace: .seconds(60))
        await server.stop(grace: .seconds(60))
    }

    @Test func reconnectingChangeStreamReaderContinuesAtItsPosition() async throws {
        let first = try connect()
        try await write(10)
        #expect(EventConnection.numbers(await first.read(until: "id: 10\nevent")) == Array(1...10))
        try await write(10)
        let again = try connect(lastEventID: 10)
        #expect(EventConnection.numbers(await again.read(until: "id: 20\nevent")) == Array(11...20))
        await server.stop(grace: .seconds(60))
    }
}
