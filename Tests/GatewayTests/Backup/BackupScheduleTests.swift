import Foundation
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway
@testable import GatewayAPI

/// Tests the backups that a running gateway writes at an interval.
@Suite("Regular backups")
struct BackupScheduleTests {
    private let place: TemporaryDirectory
    private let clock = TestClock()
    private let store: LocalStore
    private var settings: BackupSettings

    init() throws {
        place = try TemporaryDirectory()
        store = try LocalStore(
            StoreConfiguration(directory: place.path + "/data", identity: StoreIdentity(remote: nil)),
            environment: clock.environment)
        settings = BackupSettings(directory: place.path + "/backups")
        settings.keptMax = 2
    }

    private func schedule(_ settings: BackupSettings?) -> BackupSchedule {
        BackupSchedule(
            settings,
            of: BackupWriter(directory: place.path + "/data", stores: LocalStoreKind(), environment: clock.environment),
            environment: clock.environment, logger: .quiet)
    }

    private var names: [String] { BackupName.all(in: settings.directory).map(\.text) }

    @Test func backupIsWrittenAtTheStartAndThenAtTheInterval() async throws {
        let schedule = schedule(settings)
        await schedule.writeIfDue()
        #expect(names.count == 1)
        clock.advance(.seconds(3600))
        await schedule.writeIfDue()
        #expect(names.count == 1)
        clock.advance(.seconds(83_000))
        await schedule.writeIfDue()
        #expect(names.count == 2)
        #expect(schedule.status?.last?.at == BackupName.all(in: settings.directory).last?.at)
    }

    @Test func latestBackupCountsAfterARestartOfTheProgram() async throws {
        await schedule(settings).writeIfDue()
        clock.advance(.seconds(3600))
        let restarted = schedule(settings)
        #expect((restarted.status?.last?.byteCount ?? 0) > 0)
        await restarted.writeIfDue()
        #expect(names.count == 1)
    }

    @Test func oldestBackupsAreRemovedAndOtherFilesStay() async throws {
        try FileManager.default.createDirectory(atPath: settings.directory, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: settings.directory + "/mine.tar"))
        let left = "\(settings.directory)/tidegate-20200101T000000Z.tar\(BackupWriter.workMark)1"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let schedule = schedule(settings)
        var written: [String] = []
        for _ in 0..<4 {
            await schedule.writeIfDue()
            written.append(try #require(names.last))
            clock.advance(.seconds(86_400))
        }
        #expect(names == Array(written.suffix(2)))
        #expect(FileManager.default.fileExists(atPath: settings.directory + "/mine.tar"))
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test func failureIsReportedAndTriedAgainAfterADelay() async throws {
        try Data().write(to: URL(filePath: settings.directory))
        let schedule = schedule(settings)
        for _ in 0..<2 { await schedule.writeIfDue() }
        #expect(schedule.status?.failures == 1)
        let reason = schedule.status?.json["lastError"]?.string
        #expect(reason == "cannot write \(settings.directory): File exists")
        #expect(schedule.status?.publicJSON == ["failed": true])
        unlink(settings.directory)
        clock.advance(.seconds(700))
        await schedule.writeIfDue()
        #expect(names.count == 1)
        #expect(schedule.status?.json["lastError"] == .null)
        #expect(schedule.status?.publicJSON == ["failed": false])
        let families = try await schedule.families()
        #expect(families.map(\.name).contains("tidegate_backup_last_success_timestamp_seconds"))
    }

    @Test func noBackupIsWrittenWithoutADirectoryUntilTheSettingsChange() async throws {
        let schedule = schedule(nil)
        await schedule.writeIfDue()
        #expect(schedule.status == nil && names.isEmpty)
        schedule.change(to: settings)
        await schedule.writeIfDue()
        #expect(names.count == 1)
    }
}
