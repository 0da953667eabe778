import Foundation
import ParseModel
import Testing

/// Tests change streams of the running program.
@Suite("Change streams of daemons", .serialized, .timeLimit(.minutes(5)))
struct DaemonStreamTests {
    @Test func changeStreamOfAReplicaReportsItsSyncs() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"])
        let stream = try EventConnection(port: UInt16(replica.port), "?since=latest")
        await stream.read(until: "event: sync\ndata: {\"mode\":\"replica\"")
        #expect(try await replica.send(.post, "/sync/pause").status == 200)
        await stream.read(until: #""state":"paused""#)
        let id = try await replica.create(["name": "ours"])
        #expect(await stream.read(until: #""pending":1,"#).contains(#""objectId":"\#(id)""#))
        #expect(try await replica.send(.post, "/sync/resume").status == 200)
        let resumed = try EventConnection(port: UInt16(replica.port), "?since=latest")
        await resumed.read(until: #""pending":0,"#)
        // Changes made at the remote reach the replica's stream through a sync.
        let theirs = try await hub.create(["name": "theirs"])
        #expect(try await replica.sync().status == 200)
        await stream.read(until: #""kind":"create","object":{"objectId":"\#(theirs)""#)
        #expect(EventConnection.numbers(await stream.read(until: theirs)).count >= 2)
    }

    @Test func daemonStopsWhileChangeStreamsAreOpen() async throws {
        let daemon = try await Daemon(try TemporaryDirectory())
        let streams = try (0..<10).map { _ in try EventConnection(port: UInt16(daemon.port)) }
        for stream in streams { await stream.read(until: "id: ") }
        #expect(daemon.end(SIGTERM) == 0)
        for stream in streams { #expect(await stream.readAll().hasPrefix("HTTP/1.")) }
    }
}
