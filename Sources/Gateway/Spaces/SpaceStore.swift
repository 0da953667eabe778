import Logging
import ParseModel
import StoreService
import SyncEngine

/// An open store, with streams of its events: local writes, newly found damage, and indexes to create.
struct SpaceStore: Sendable {
    let store: any GatewayStore
    /// Emits after local writes.
    let localWrites: AsyncStream<Void>
    /// Emits when a read finds damaged objects that were not known to be damaged.
    let damage: AsyncStream<Void>
    /// Emits when the store should create an index at once.
    let dueIndexes: AsyncStream<Void>
    /// The rules for the values that the remote can store. The remote supplies them after the store is opened.
    let remoteValues = RemoteValues()
    /// The maximum number of log lines about the damage that one read finds.
    private static let damageLinesMax = 20

    init(_ settings: StoreSettings, _ stores: any StoreKind, environment: Environment, logger: Logger) throws {
        var settings = settings
        let (localWrites, localWrite) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (damage, damaged) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (dueIndexes, indexDue) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        settings.onLocalWrite = { localWrite.yield() }
        settings.onIndexDue = { indexDue.yield() }
        settings.onDamage = { findings in
            let lines = findings.lines
            for line in lines.prefix(Self.damageLinesMax) { logger.error("\(line)") }
            if lines.count > Self.damageLinesMax {
                logger.error("… and \(lines.count - Self.damageLinesMax) more: tidegate doctor --check-file lists them")
            }
            damaged.yield()
        }
        if settings.identity.remote != nil { settings.valueRules = remoteValues }
        store = try stores.open(settings, environment: environment)
        (self.localWrites, self.damage, self.dueIndexes) = (localWrites, damage, dueIndexes)
    }
}
