import Foundation
import Testing

/// Signals that end other programs but not the daemon.
@Suite("Signals to the daemon", .serialized)
struct DaemonSignalTests {
    @Test(arguments: [SIGPIPE, SIGXFSZ]) func theDaemonSurvivesTheSignalsOfFailedWrites(signal: Int32) async throws {
        let daemon = try await Daemon(try TemporaryDirectory())
        daemon.signal(signal)
        _ = try await daemon.create(["name": "a"])
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func theDaemonSurvivesAClosedLogPipe() async throws {
        let directory = try TemporaryDirectory()
        // The reader of the pipe closes it after the first line, so later log lines have no reader.
        let run = try Run(["serve", "--data", directory.path, "--listen", "127.0.0.1:0"], linesMax: 1)
        for await _ in run.output {}
        kill(run.process.processIdentifier, SIGTERM)
        run.process.waitUntilExit()
        #expect(run.process.terminationReason == .exit)
        #expect(run.process.terminationStatus == 0)
    }
}
