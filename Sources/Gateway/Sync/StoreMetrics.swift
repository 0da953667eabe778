import GatewayAPI
import RemoteService
import StoreService

/// The number of objects in a store, read for each request of `/metrics`.
struct StoreMetrics: MetricsSource {
    let store: any GatewayStore

    func families() async throws -> [MetricFamily] {
        [
            .gauge(
                "tidegate_objects", "Objects in the local file.",
                try await store.figures().classes.map { (["class": $0.name], Double($0.objects)) })
        ]
    }
}

/// The metrics of a replica's outbox, conflicts, rejections, removals that wait for a confirmation, and syncs.
struct OutboxMetrics: MetricsSource {
    let store: any GatewayStore

    func families() async throws -> [MetricFamily] {
        let figures = try await store.figures()
        return [
            .gauge("tidegate_outbox_objects", "Objects with unsent changes.", Double(figures.pending)),
            .gauge("tidegate_conflicts", "Open conflicts.", Double(figures.conflicts)),
            .gauge("tidegate_rejections", "Changes rejected by the remote.", Double(figures.rejections)),
            .gauge("tidegate_removals_held_back", "Removals held back until confirmed.", Double(figures.removals)),
            .gauge(
                "tidegate_last_sync_timestamp_seconds",
                "End of the last sync in seconds since 1970; absent before the first.",
                figures.lastSyncAt?.seconds),
            .gauge(
                "tidegate_initial_sync_complete", "1 after the first complete pull of the class, otherwise 0.",
                figures.classes.filter(\.isPulled).map { (["class": $0.name], $0.initialSyncComplete ? 1 : 0) }),
        ]
    }
}
