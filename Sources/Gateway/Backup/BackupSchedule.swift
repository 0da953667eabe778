import Foundation
import GatewayAPI
import Logging
import ParseModel
import Synchronization

/// Writes backups at an interval, and removes the oldest ones. A restart of the program does not change the times: the
/// latest file in the directory counts as the latest backup.
package final class BackupSchedule: Sendable {
    /// The time between two looks at the clock.
    private static let tick = Duration.seconds(30)
    /// The minimum time between a failure and the next attempt.
    private static let retryDelayMax = Duration.seconds(600)

    private struct State {
        var settings: BackupSettings?
        var last: BackupStatus.Backup?
        var failures = 0
        var lastError: String?
        var failedAt: ParseDate?
    }

    private let writer: BackupWriter
    private let environment: Environment
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter settings: nil to write no backups.
    init(_ settings: BackupSettings?, of writer: BackupWriter, environment: Environment, logger: Logger) {
        (self.writer, self.environment, self.logger) = (writer, environment, logger)
        state = Mutex(State())
        change(to: settings)
    }

    /// Replaces the settings. The next look at the clock uses them.
    package func change(to settings: BackupSettings?) {
        let last = settings.flatMap { BackupName.all(in: $0.directory).last?.backup(in: $0.directory) }
        state.withLock { state in
            guard state.settings != settings else { return }
            (state.settings, state.last, state.lastError, state.failedAt) = (settings, last, nil, nil)
        }
    }

    /// The state for the person who runs the gateway; nil if no backups are configured.
    var status: BackupStatus? {
        state.withLock { state in
            state.settings.map {
                BackupStatus(
                    directory: $0.directory, interval: $0.interval, keptMax: $0.keptMax, last: state.last,
                    failures: state.failures, lastError: state.lastError)
            }
        }
    }

    /// Writes backups until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await writeIfDue()
            do { try await environment.sleep(Self.tick) } catch { return }
        }
    }

    /// Writes a backup if the interval is over.
    func writeIfDue() async {
        let now = environment.now()
        let due = state.withLock { state -> BackupSettings? in
            guard let settings = state.settings else { return nil }
            if let last = state.last, last.at <= now, now < last.at + settings.interval { return nil }
            let retryDelay = min(Self.retryDelayMax, settings.interval)
            if let failedAt = state.failedAt, failedAt <= now, now < failedAt + retryDelay { return nil }
            return settings
        }
        if let due { await write(due, at: now) }
    }

    private func write(_ settings: BackupSettings, at now: ParseDate) async {
        let name = BackupName(at: now)
        do {
            try FileManager.default.createDirectory(
                atPath: settings.directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            BackupName.removeUnfinished(in: settings.directory)
            let result = try await writer.write(to: "\(settings.directory)/\(name.text)")
            for sha256 in result.missingContents {
                logger.error("the content \(sha256) of a file is missing in the data directory, and in the backup")
            }
            let kept = BackupName.all(in: settings.directory)
            for old in kept.dropLast(settings.keptMax) where unlink("\(settings.directory)/\(old.text)") != 0 {
                logger.warning("\(BackupFiles.failure("remove", "\(settings.directory)/\(old.text)"))")
            }
            logger.info("wrote the backup \(name.text)", metadata: ["bytes": "\(result.byteCount)"])
            state.withLock {
                $0.last = BackupStatus.Backup(name: name.text, at: name.at, byteCount: result.byteCount)
                ($0.lastError, $0.failedAt) = (nil, nil)
            }
        } catch {
            let reason = GatewayError(error).description
            logger.error("no backup was written: \(reason)")
            state.withLock {
                $0.failures += 1
                ($0.lastError, $0.failedAt) = (reason, now)
            }
        }
    }
}

extension BackupSchedule: MetricsSource {
    package func families() async throws -> [MetricFamily] {
        guard let status else { return [] }
        return [
            .gauge(
                "tidegate_backup_last_success_timestamp_seconds",
                "Time of the latest backup in seconds since 1970; absent before the first.", status.last?.at.seconds),
            .gauge(
                "tidegate_backup_last_size_bytes", "Size of the latest backup.",
                status.last.map { Double($0.byteCount) }),
            .counter(
                "tidegate_backup_failures_total", "Failed backups since the start.",
                [([:] as MetricFamily.Labels, status.failures)]),
        ]
    }
}

/// The name of a backup's file, with its time in UTC: `tidegate-20270102T030405Z.tar`.
struct BackupName: Hashable {
    let text: String
    let at: ParseDate

    init(at time: ParseDate) {
        let seconds = ParseDate(milliseconds: time.milliseconds / 1000 * 1000)
        let digits = seconds.iso.prefix { $0 != "." }.filter { !["-", ":"].contains($0) }
        self.init(text: "tidegate-\(digits)Z.tar", at: seconds)
    }

    private init(text: String, at: ParseDate) { (self.text, self.at) = (text, at) }

    /// - Returns: nil for the name of another file.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /tidegate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar/),
            let at = ParseDate(
                iso: "\(match.1)-\(match.2)-\(match.3)T\(match.4):\(match.5):\(match.6).000Z")
        else { return nil }
        self.init(text: text, at: at)
    }

    /// The backups in a directory, oldest first.
    static func all(in directory: String) -> [BackupName] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.compactMap(BackupName.init(_:)).sorted { $0.at < $1.at }
    }

    /// Removes what an interrupted backup has left.
    static func removeUnfinished(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard let mark = name.range(of: BackupWriter.workMark), BackupName(String(name[..<mark.lowerBound])) != nil
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
        }
    }

    func backup(in directory: String) -> BackupStatus.Backup? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(text)")
        guard let size = (attributes?[.size] as? NSNumber)?.intValue else { return nil }
        return BackupStatus.Backup(name: text, at: at, byteCount: size)
    }
}
