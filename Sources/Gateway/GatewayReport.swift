import GatewayAPI
import ParseModel
import StoreService

/// What the program of a gateway knows about itself: its settings, the latest lines of its log, and the findings of `doctor`.
struct GatewayReport: ProgramReport {
    private let configuration: GatewayConfiguration
    private let log: RecentLog
    private let stores: any StoreKind
    private let remotes: RemoteFactory
    private let schedule: BackupSchedule
    private let running = RunningCheck()

    init(
        _ configuration: GatewayConfiguration, log: RecentLog, stores: any StoreKind, remotes: RemoteFactory,
        backups: BackupSchedule
    ) {
        schedule = backups
        self.configuration = configuration
        self.log = log
        self.stores = stores
        self.remotes = remotes
    }

    var settings: [SettingInUse] { configuration.settings }

    func logLines(after number: Int) -> [LogLine] { log.lines(after: number) }

    var backups: BackupStatus? { schedule.status }

    func checks(includesFile: Bool) async throws -> JSONObject {
        try await running.joined(includesFile) { [configuration, stores, remotes] in
            try await DoctorFindings(configuration, includesFile: includesFile, stores: stores, remotes: remotes).json
        }
    }
}

/// Runs the checks once at a time. A request that arrives during a run gets the findings of this run.
private actor RunningCheck {
    private var runs: [Bool: Task<JSONObject, any Error>] = [:]

    func joined(
        _ includesFile: Bool, _ run: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> JSONObject {
        if let present = runs[includesFile] { return try await present.value }
        let task = Task { try await run() }
        runs[includesFile] = task
        defer { runs[includesFile] = nil }
        return try await task.value
    }
}
