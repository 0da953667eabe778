#if os(Linux)
    import Foundation
    import Glibc
    import ParseModel
    import Testing

    /// Tests a gateway whose full disk gets room again. Only Linux can change the file size limit of a running
    /// program.
    @Suite("Daemons after a full disk", .serialized)
    struct DiskFullSyncTests {
        @Test func writesSucceedAgainAfterAFullDiskHasRoom() async throws {
            let directory = try TemporaryDirectory()
            let daemon = try await Daemon(directory, fileBytesMax: 1 << 20)
            var names: Set<String> = []
            let large = JSONValue.string(String(repeating: "0123456789", count: 10_000))
            for round in 0..<3 {
                var isRefused = false
                for attempt in 0..<1000 where !isRefused {
                    let name = "\(round).\(attempt)"
                    let answer = try await daemon.send(
                        .post, "/classes/Holiday", ["name": .string(name), "text": large])
                    isRefused = answer.status == 507
                    if !isRefused { names.insert(name) }
                }
                #expect(isRefused)
                try daemon.limitFiles(bytesMax: (round + 2) << 20)
                _ = try await daemon.create(["name": .string("after \(round)")])
                names.insert("after \(round)")
            }
            let found = try await daemon.holidays().values.compactMap { $0.object?["name"]?.string }
            #expect(Set(found) == names)
            #expect(found.count == names.count)
        }

        /// Each round makes the disk full at another write of the sync, until one sync completes.
        @Test func aSyncStoppedByAFullDiskContinuesOnceThereIsRoom() async throws {
            let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
            let hub = try await Daemon(directories[0])
            let replica = try await Daemon.replica(of: hub.url, directories[1], fileBytesMax: 1 << 30)
            let counter = try await replica.create(["name": "counter", "count": 0])
            #expect(try await replica.sync().status == 200)
            var failures = 0
            for round in 1...40 {
                _ = try await replica.create(["name": .string("holiday \(round)")])
                let increment: JSONValue = ["count": ["__op": "Increment", "amount": 1]]
                #expect(try await replica.send(.put, "/classes/Holiday/\(counter)", increment).status == 200)
                try replica.limitFiles(bytesMax: try directories[1].logBytes() + round * 4120)
                let stopped = try await replica.sync()
                if stopped.status != 200 { failures += 1 }
                #expect([200, 507].contains(stopped.status), "\(stopped.json)")
                try replica.limitFiles(bytesMax: 1 << 30)
                try await syncUntilNothingWaits(replica)
                #expect(try await hub.holidays() == replica.holidays(), "round \(round)")
                let there = try await hub.holidays().values.compactMap(\.object)
                #expect(there.count == round + 1)
                #expect(there.first { $0["name"] == "counter" }?["count"] == .int(round))
            }
            #expect(failures > 5)
        }

        private func syncUntilNothingWaits(_ replica: Daemon) async throws {
            for _ in 0..<100 {
                #expect(try await replica.sync().status == 200)
                for conflict in try await replica.send(.get, "/sync/conflicts").json.object?["results"]?.array ?? [] {
                    #expect(conflict.object?["kind"] == "wasThisApplied")
                    let id = conflict.object?["id"]?.int ?? 0
                    // The remote has answered each request, so it has executed every change that was sent.
                    _ = try await replica.send(.post, "/sync/conflicts/\(id)", ["keep": "applied"])
                }
                let status = try await replica.send(.get, "/sync").json.object
                if status?["pending"] == 0, status?["conflicts"] == 0 { return }
            }
            let pending = try await replica.send(.get, "/sync/pending").json
            Issue.record("changes wait for ever: \(pending)")
        }
    }

    extension Daemon {
        private typealias SetLimit =
            @convention(c) (pid_t, Int32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> Int32

        /// Sets the file size limit of the running program.
        fileprivate func limitFiles(bytesMax: Int) throws {
            // The C headers declare `prlimit` only for GNU sources, so the test looks it up by name.
            let address = try #require(dlsym(nil, "prlimit"))
            let setLimit = unsafeBitCast(address, to: SetLimit.self)
            var limit = rlimit(rlim_cur: rlim_t(bytesMax), rlim_max: rlim_t.max)
            #expect(setLimit(processId, Int32(RLIMIT_FSIZE.rawValue), &limit, nil) == 0)
        }
    }

    extension TemporaryDirectory {
        /// The size of SQLite's write-ahead log.
        fileprivate func logBytes() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/tidegate.sqlite-wal")
            return (attributes[.size] as? Int) ?? 0
        }
    }
#endif
