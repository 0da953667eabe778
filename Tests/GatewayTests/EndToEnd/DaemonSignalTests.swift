import Foundation
import Testing

/// Tests signals that end a program by default and must not end the daemon.
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
        // The test closes the log pipe after the first line, so later log lines have no reader.
        let run = try Run(["serve", "--data", directory.path, "--listen", "127.0.0.1:0"], linesMax: 1)
        for await _ in run.output {}
        kill(run.process.processIdentifier, SIGTERM)
        run.process.waitUntilExit()
        #expect(run.process.terminationReason == .exit)
        #expect(run.process.terminationStatus == 0)
    }
}
