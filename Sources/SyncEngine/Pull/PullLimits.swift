import ParseModel
import RemoteService
import StoreService

/// Stops the pulls of a class with too many local objects, and all pulls while the disk is nearly full. Local objects stay, and
/// pending changes are still sent.
struct PullLimits {
    private let context: SyncContext
    /// By class, the stored reason why the pulls of the class are stopped.
    private var reasons: [String: String]

    init(_ context: SyncContext) {
        self.context = context
        reasons = Dictionary(
            uniqueKeysWithValues: context.classes.sorted.compactMap { syncClass in
                syncClass.stoppedBecause.map { (syncClass.name, $0) }
            })
    }

    /// The classes that may be pulled, because they have reached no limit. Their stopped pulls start again. Stops the
    /// pulls of the other classes.
    mutating func filter(_ classes: [SyncClass]) async throws(SyncError) -> [SyncClass] {
        var pulled: [SyncClass] = []
        for syncClass in classes {
            if syncClass.isPulled, try await stopIfReached(by: syncClass.name) { continue }
            try await set(syncClass.name, nil)
            pulled.append(syncClass)
        }
        return pulled
    }

    /// Stops the pulls of a class that has too many local objects, or of any class if the disk is nearly full.
    /// - Returns: whether the pulls are stopped.
    mutating func stopIfReached(by className: String) async throws(SyncError) -> Bool {
        guard let reason = try await reason(for: className) else { return false }
        context.reporter.warn("Pulls of \(className) have stopped: \(reason)")
        try await set(className, reason)
        return true
    }

    private mutating func set(_ className: String, _ reason: String?) async throws(SyncError) {
        guard reasons[className] != reason else { return }
        try await context.store { try await $0.setStopped(className, because: reason) }
        reasons[className] = reason
    }

    private func reason(for className: String) async throws(SyncError) -> String? {
        let options = context.options
        var objects = try await context.store { try await $0.baseCount(of: .allObjects(of: className)) }
        if objects > options.classObjectsMax, let pulls = context.classes[className]?.pulls,
            !pulls.contains(where: \.pull.isWholeClass)
        {
            // Objects of former pulls do not count: they are removed from the store after the current pulls are
            // complete.
            objects = try await context.store { try await $0.pulledCount(of: className) }
        }
        if objects > options.classObjectsMax {
            return
                "\(objects) of its objects are stored locally, more than the maximum (\(options.classObjectsMax)). "
                + "Pull a subset of the class."
        }
        guard let free = options.freeBytes(), free < options.diskFreeMin else { return nil }
        return "\(free) bytes are free on the disk, fewer than disk-free-min (\(options.diskFreeMin)). "
            + "Free disk space, or lower this setting."
    }
}
