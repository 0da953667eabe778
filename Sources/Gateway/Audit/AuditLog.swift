import Dispatch
import GatewayAPI
import Logging
import ParseModel
import Synchronization

/// The audit log of a data directory, as lines of JSON in `audit.log`. A queue of its own writes the lines, so that no request waits
/// for the disk.
final class AuditLog: AuditTrail {
    private struct State {
        /// The lines to write.
        var lines: [UInt8] = []
        var isScheduled = false
        /// Whether the last write has failed.
        var isFailing = false
        /// The number of events that could not be written since the last success.
        var lost = 0
    }

    private let now: @Sendable () -> ParseDate
    private let logger: Logger
    private let state = Mutex(State())
    private let file: Mutex<AuditFile>
    private let queue = DispatchQueue(label: "tidegate.audit")

    /// The size of the waiting lines in bytes above which events are dropped.
    private static let waitingBytesMax = 1 << 20

    /// - Parameters:
    ///   - directory: the data directory. The file is created for the first event.
    ///   - bytesMax: the size of a file in bytes at which a new one begins. Five files are kept.
    init(directory: String, bytesMax: Int = 10 << 20, now: @escaping @Sendable () -> ParseDate, logger: Logger) {
        self.now = now
        self.logger = logger
        file = Mutex(AuditFile(path: directory + "/audit.log", bytesMax: bytesMax))
    }

    deinit { file.withLock { $0.close() } }

    func note(_ event: AuditEvent) {
        var line: JSONObject = ["at": .string(now().iso)]
        for (name, value) in event.json { line[name] = value }
        let bytes = line.jsonBytes + [0x0A]
        let schedules = state.withLock { state in
            guard state.lines.count + bytes.count <= Self.waitingBytesMax else {
                state.lost += 1
                return false
            }
            state.lines += bytes
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { queue.async { self.write() } }
    }

    /// Waits until the events so far are on disk, or are given up because the disk is full.
    func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.write()
                self.file.withLock { $0.synchronize() }
                continuation.resume()
            }
        }
    }

    private func write() {
        let lines = state.withLock { state in
            state.isScheduled = false
            defer { state.lines = [] }
            return state.lines
        }
        guard !lines.isEmpty else { return }
        do {
            try file.withLock { file throws(AuditFile.Failure) in try file.append(lines) }
            noteSuccess()
        } catch {
            note(error, lost: lines.count { $0 == 0x0A })
        }
    }

    private func noteSuccess() {
        let lost = state.withLock { state in
            defer { (state.isFailing, state.lost) = (false, 0) }
            return state.lost
        }
        if lost > 0 { logger.error("the audit log is written again, and lacks \(lost.counted("event"))") }
    }

    private func note(_ failure: AuditFile.Failure, lost: Int) {
        let isNew = state.withLock { state in
            state.lost += lost
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { logger.error("the audit log is not written: \(failure)") }
    }
}
