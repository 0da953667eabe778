import ParseModel
import RemoteService
import SyncModel

/// Whether the remote accepts client-chosen ids. If its capabilities leave that open, one probe decides, and the store
/// keeps the result.
struct ChosenIds {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Whether the remote is known to accept client-chosen ids; false before the probe.
    func areKnownToBeAccepted() async throws(SyncError) -> Bool {
        switch context.remote.capabilities.chosenIds {
        case .always: true
        case .never: false
        case .dependsOnSettings: try await known() ?? false
        }
    }

    /// Whether creates among the entries may be sent with their ids. Sends the probe if necessary.
    func areAccepted(for entries: [OutboxEntry]) async throws(SyncError) -> Bool {
        guard let create = entries.first(where: { $0.step.kind == .create }) else { return true }
        switch context.remote.capabilities.chosenIds {
        case .always: return true
        case .never: return false
        case .dependsOnSettings: break
        }
        if let known = try await known() { return known }
        do {
            return try await probe(create.className)
        } catch .refused {
            // The probe itself may be forbidden. A create without a client-chosen id works everywhere.
            return false
        }
    }

    /// Probes again after a refusal, because the server's setting may have changed.
    /// - Returns: whether client-chosen ids were accepted before and no longer are.
    func wereDisabled(askingFor className: String) async throws(SyncError) -> Bool {
        guard try await known() == true else { return false }
        return try await !probe(className)
    }

    private func known() async throws(SyncError) -> Bool? {
        try await context.store { try await $0.remoteAcceptsChosenIds() }
    }

    private func probe(_ className: String) async throws(SyncError) -> Bool {
        let accepts = try await context.remote.ask { remote throws(RemoteError) in
            try await remote.acceptsChosenIds(in: className)
        }
        try await context.store { try await $0.setRemoteAcceptsChosenIds(accepts) }
        return accepts
    }
}
