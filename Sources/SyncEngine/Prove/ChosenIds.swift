import ParseModel
import RemoteService
import SyncModel

/// Determines in which classes a create may choose the object's id. In the other classes, the remote chooses it. Some
/// kinds of remotes have one setting for all classes. A single request, the probe, finds out this setting, and the
/// store keeps the result.
struct ChosenIds {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// The classes of the entries that are known to accept ids chosen by this gateway. Sends no probe.
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

    /// The classes in which a create among the entries may choose its id. If a server setting decides, takes the
    /// setting from the store, or finds it out by a probe request.
    /// - Parameter silent: the classes for which the remote has refused the probe in this sync. They are not probed
    ///   again.
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

    /// Whether a create of the class may choose its id. Sends the probe if the setting is not known.
    func accepts(_ className: String) async throws(SyncError) -> Bool {
        switch context.remote.capabilities(of: className).chosenIds {
        case .always: return true
        case .never: return false
        case .dependsOnSettings:
            var silent: Set<String> = []
            return try await isSwitchedOn(askingFor: className, &silent)
        }
    }

    private func isSwitchedOn(
        askingFor className: String, _ silent: inout Set<String>
    ) async throws(SyncError) -> Bool {
        if let known = try await known() { return known }
        guard !silent.contains(className) else { return false }
        // A create whose outcome is unknown was sent without its id. If ids counted as accepted now, `Prove` would look
        // for its object by the id and not find it.
        guard try await context.store({ try await $0.classesWithUnknownCreates() }).isEmpty else { return false }
        do {
            return try await probe(className)
        } catch .refused {
            // Permissions may forbid the probe. Creates are then sent without chosen ids.
            silent.insert(className)
            return false
        }
    }

    /// Handles the refusal of an id that a create has chosen. If the remote accepted such ids before, repeats the probe
    /// request, because the server's setting may have changed.
    /// - Returns: whether the remote accepted such ids before and no longer does.
    func wereDisabled(askingFor className: String) async throws(SyncError) -> Bool {
        guard try await known() == true else { return false }
        do {
            return try await !probe(className)
        } catch .refused {
            // The answer to the probe does not tell whether ids are accepted, so the next create sends a probe again.
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
