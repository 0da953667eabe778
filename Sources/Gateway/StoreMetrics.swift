import GatewayAPI
import RemoteService
import StoreService

/// What is in the file, read whenever somebody asks. What waits for the remote has a meaning in a replica only.
struct StoreMetrics: MetricsSource {
    let store: any GatewayStore
    let isReplica: Bool

    func families() async throws -> [MetricFamily] {
        let figures = try await store.figures()
        let objects = MetricFamily.gauge(
            "tidegate_objects", "Objects in the local file.",
            figures.classes.map { (["class": $0.name], Double($0.objects)) })
        return isReplica ? [objects] + Self.waiting(figures) : [objects]
    }

    private static func waiting(_ figures: SyncFigures) -> [MetricFamily] {
        [
            .gauge("tidegate_outbox_objects", "Objects with changes that wait to be sent.", Double(figures.pending)),
            .gauge("tidegate_conflicts", "Conflicts that nobody has decided.", Double(figures.conflicts)),
            .gauge("tidegate_rejections", "Changes that the remote has refused.", Double(figures.rejections)),
            .gauge("tidegate_removals_held_back", "Removals that wait to be confirmed.", Double(figures.removals)),
            .gauge(
                "tidegate_last_sync_timestamp_seconds",
                "When the last sync came to its end, in seconds since 1970; absent before the first.",
                figures.lastSyncAt?.seconds),
            .gauge(
                "tidegate_initial_sync_complete", "Whether the class has been pulled completely once.",
                figures.classes.filter(\.isPulled).map { (["class": $0.name], $0.initialSyncComplete ? 1 : 0) }),
        ]
    }
}
