import GatewayAPI
import RemoteService
import SyncEngine
import Synchronization

/// Counts syncs, sync phases and errors of the remote since the start of the program.
final class SyncMetrics: MetricsSource {
    private struct State {
        var phases = Dictionary(
            uniqueKeysWithValues: SyncProgress.Phase.allCases.map { ($0, Histogram(bounds: SyncMetrics.bounds)) })
        var outcomes = Dictionary(uniqueKeysWithValues: SyncMetrics.outcomes.map { ($0, 0) })
        var remoteErrors = Dictionary(uniqueKeysWithValues: SyncMetrics.remoteErrors.map { ($0, 0) })
    }

    private static let outcomes = [
        "finished", "foreign", "offline", "paused", "refused", "store", "unauthorized", "unusable",
    ]
    private static let remoteErrors = ["foreign", "offline", "refused", "unauthorized", "unusable"]
    /// The upper bounds of the buckets for the durations of sync phases. The durations range from a phase without a request to
    /// the first pull of a large class.
    private static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(50), .milliseconds(100),
        .milliseconds(500), .seconds(1), .seconds(5), .seconds(10), .seconds(60), .seconds(300), .seconds(1800),
    ]

    private let state = Mutex(State())

    func note(_ event: SyncEvent) {
        state.withLock { state in
            switch event {
            case .statusChanged: break
            case .phaseEnded(let phase, let duration): state.phases[phase]?.note(duration)
            case .remoteFailed(let error): state.remoteErrors[error.kind, default: 0] += 1
            case .syncEnded(let outcome, _): state.outcomes[Self.name(of: outcome), default: 0] += 1
            }
        }
    }

    func families() -> [MetricFamily] {
        let state = state.withLock { $0 }
        let counts = { (figures: [String: Int], label: String) -> [(MetricFamily.Labels, Int)] in
            figures.sorted { $0.key < $1.key }.map { ([label: $0.key], $0.value) }
        }
        return [
            .histogram(
                "tidegate_sync_phase_duration_seconds", "Duration of completed sync phases.",
                SyncProgress.Phase.allCases.compactMap { phase in
                    state.phases[phase].map { (["phase": phase.rawValue], $0) }
                }),
            .counter("tidegate_syncs_total", "Completed syncs.", counts(state.outcomes, "outcome")),
            .counter(
                "tidegate_remote_errors_total", "Requests to the remote without a usable answer.",
                counts(state.remoteErrors, "kind")),
        ]
    }

    private static func name(of outcome: SyncOutcome) -> String {
        switch outcome {
        case .finished: "finished"
        case .paused: "paused"
        case .failed(let error): error.kind
        }
    }
}
