import Foundation
import ParseModel
import Testing

/// Tests the sync between two real processes: a replica and its remote, with real sockets and files.
@Suite("Sync between two running gateways", .serialized)
struct DaemonSyncTests {
    @Test func createsUpdatesAndDeletionsArriveInBothDirections() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        let theirs = try await hub.create(["name": "theirs"])
        let doomed = try await hub.create(["name": "doomed there"])
        #expect(try await replica.sync().status == 200)
        let ours = try await replica.create(["name": "ours"])
        #expect(try await replica.send(.put, "/classes/Holiday/\(theirs)", ["name": "edited here"]).status == 200)
        #expect(try await hub.send(.delete, "/classes/Holiday/\(doomed)").status == 200)
        #expect(try await replica.sync().status == 200)
        #expect(try await hub.holidays() == replica.holidays())
        #expect(try await replica.send(.get, "/classes/Holiday/\(ours)").status == 200)
        #expect(try await replica.send(.delete, "/classes/Holiday/\(ours)").status == 200)
        #expect(try await replica.sync().status == 200)
        #expect(try await hub.holidays().count == 1)
        #expect(try await hub.holidays() == replica.holidays())
        #expect(try await hub.send(.put, "/classes/Holiday/\(theirs)", ["name": "edited there"]).status == 200)
        #expect(try await replica.sync().status == 200)
        #expect(try await hub.holidays() == replica.holidays())
    }

    @Test func restartedRemoteReceivesTheChangesMadeMeanwhile() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        let edited = try await hub.create(["name": "a"])
        let doomed = try await hub.create(["name": "b"])
        #expect(try await replica.sync().status == 200)
        let port = hub.port
        #expect(hub.end(SIGTERM) == 0)
        #expect(try await replica.holidays().count == 2)
        #expect(try await replica.send(.put, "/classes/Holiday/\(edited)", ["name": "a2"]).status == 200)
        #expect(try await replica.send(.delete, "/classes/Holiday/\(doomed)").status == 200)
        _ = try await replica.create(["name": "c"])
        let offline = try await replica.sync()
        #expect(offline.status == 503)
        #expect(offline.json.object?["code"] == 100)
        let back = try await Daemon(directories[0], port: port)
        let sync = try await replica.sync()
        #expect(sync.status == 200)
        #expect(try await back.holidays() == replica.holidays())
        #expect(Set(try await back.holidays().values.compactMap { $0.object?["name"]?.string }) == ["a2", "c"])
    }

    @Test func aKilledReplicaLosesNoAcknowledgedChange() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let port = hub.port
        #expect(hub.end(SIGTERM) == 0)
        var names: Set<String> = []
        for round in 0..<5 {
            let replica = try await Daemon.replica(of: "http://127.0.0.1:\(port)", directories[1])
            for n in 0..<3 {
                let name = "holiday \(round).\(n)"
                _ = try await replica.create(["name": .string(name)])
                names.insert(name)
            }
            replica.end(SIGKILL)
        }
        let back = try await Daemon(directories[0], port: port)
        let replica = try await Daemon.replica(of: back.url, directories[1])
        #expect(try await replica.sync().status == 200)
        #expect(Set(try await back.holidays().values.compactMap { $0.object?["name"]?.string }) == names)
        #expect(try await back.holidays() == replica.holidays())
    }

    @Test func aReplicaIsReadyOnceItHasPulledItsClassesAndAfterARestartWithoutItsRemote() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let port = hub.port
        #expect(hub.end(SIGTERM) == 0)
        let when = ["--ready-when", "synced"]
        var replica = try await Daemon.replica(of: hub.url, directories[1], when)
        #expect(try await replica.sync().status == 503)
        #expect(try await replica.status("/ready") == 503)
        #expect(try await replica.status("/health") == 200)
        let back = try await Daemon(directories[0], port: port)
        #expect(try await replica.sync().status == 200)
        #expect(try await replica.status("/ready") == 200)
        #expect(replica.end(SIGTERM) == 0)
        #expect(back.end(SIGTERM) == 0)
        replica = try await Daemon.replica(of: hub.url, directories[1], when)
        #expect(try await replica.status("/ready") == 200)
    }

    @Test func aPausedReplicaStaysPausedAfterARestart() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        var replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"])
        #expect(try await replica.send(.post, "/sync/pause", [:]).status == 200)
        #expect(replica.end(SIGTERM) == 0)
        replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"])
        #expect(try await replica.send(.get, "/sync").json.object?["state"] == "paused")
        #expect(try await replica.sync().status == 409)
        #expect(try await replica.send(.post, "/sync/resume", [:]).status == 200)
        #expect(try await replica.sync().status == 200)
    }

    @Test func aReplicaCannotBeTheRemoteOfAnotherReplica() async throws {
        let directories = try (0..<3).map { _ in try TemporaryDirectory() }
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        let second = try await Daemon.replica(of: replica.url, directories[2])
        let sync = try await second.sync()
        #expect(sync.status != 200)
        #expect(sync.json.object?["error"]?.string?.contains("replica") == true)
    }

    @Test func accessKeyIsRequiredByTheRemoteAndSentByTheReplica() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0], ["--access-key", "correct-horse-battery"])
        #expect(try await hub.send(.get, "/health").status == 200)
        let refused = try await hub.send(.get, "/classes/Holiday")
        #expect(refused.status == 403)
        #expect(refused.json == ["error": "unauthorized"])
        let replica = try await Daemon.replica(
            of: hub.url, directories[1], ["--rest-key", "correct-horse-battery"])
        #expect(try await replica.sync().status == 200)
    }

    /// The id that the client has chosen stays the object's only id, also at the remote.
    @Test func remoteThatAllowsChosenIdsAcceptsThemFromClientsAndReplicas() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0], ["--allow-custom-object-id"])
        let chosen: JSONValue = ["objectId": "new-year", "name": "theirs"]
        #expect(try await hub.send(.post, "/classes/Holiday", chosen).status == 201)
        #expect(try await hub.send(.post, "/classes/Holiday", chosen).json.object?["code"] == 137)
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--allow-custom-object-id"])
        #expect(try await replica.create(["objectId": "easter", "name": "ours"]) == "easter")
        let ours = try await replica.create(["name": "ours"])
        #expect(try await replica.sync().status == 200)
        #expect(try await replica.send(.post, "/classes/Holiday", chosen).json.object?["code"] == 137)
        #expect(Set(try await hub.holidays().keys) == ["new-year", "easter", ours])
        #expect(try await hub.holidays() == replica.holidays())
    }
}
