import ParseModel
import RemoteService
import SyncModel

/// Determines in which classes a create may choose the object's id, instead of receiving an id from the remote. Some kinds of
/// remotes have one setting for all classes. A single request, the probe, finds out this setting, and the store keeps the result.
struct ChosenIds {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Selects those classes of the entries that are known to accept chosen ids. Sends no probe.
    func classesKnownToAccept(_ entries: [OutboxEntry]) async throws(SyncError) -> Set<String> {
        let setting = try await known() ?? false
        return Set(entries.map(\.className)).filter { className in
            switch context.remote.capabilities(of: className).chosenIds {
            case .always: true
            case .never: false
            case .dependsOnSettings: setting
            }
        }
    }

    /// Selects the classes in which a create among the entries may choose its id. If a server setting decides, reads the setting
    /// from the store, or by a probe if the store lacks the setting.
    /// - Parameter silent: the classes for which the remote has refused the probe in this sync. They are not probed again.
    func classesAccepting(
        _ entries: [OutboxEntry], besides silent: inout Set<String>
    ) async throws(SyncError) -> Set<String> {
        var accepting: Set<String> = []
        var setting: Bool?
        for entry in entries where entry.step.kind == .create && !accepting.contains(entry.className) {
            switch context.remote.capabilities(of: entry.className).chosenIds {
            case .always: accepting.insert(entry.className)
            case .never: continue
            case .dependsOnSettings:
                if setting == nil { setting = try await isSwitchedOn(askingFor: entry.className, &silent) }
                if setting == true { accepting.insert(entry.className) }
            }
        }
        return accepting
    }

    private func isSwitchedOn(
        askingFor className: String, _ silent: inout Set<String>
    ) async throws(SyncError) -> Bool {
        if let known = try await known() { return known }
        guard !silent.contains(className) else { return false }
        // A create of unknown outcome was sent without its id. `Prove` would look for its object by the id.
        guard try await context.store({ try await $0.classesWithUnknownCreates() }).isEmpty else { return false }
        do {
            return try await probe(className)
        } catch .refused {
            // Permissions may forbid the probe. Creates are then sent without chosen ids.
            silent.insert(className)
            return false
        }
    }

    /// Handles a refused chosen id. If the remote accepted chosen ids before, repeats the probe, because the server's setting
    /// may have changed.
    /// - Returns: whether chosen ids were accepted before and no longer are.
    func wereDisabled(askingFor className: String) async throws(SyncError) -> Bool {
        guard try await known() == true else { return false }
        do {
            return try await !probe(className)
        } catch .refused {
            // The answer says nothing about ids, so the next create asks again.
            try await context.store { try await $0.setRemoteAcceptsChosenIds(nil) }
            return true
        }
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
