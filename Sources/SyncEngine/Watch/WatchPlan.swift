import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The queries with which one sync checks whether the remote still shows the objects and fields that it has shown
/// before. They are sent in the batch with the first pages of the pulls, so they take no extra request:
///
/// - The roles of the user.
/// - For each ACL that lets the user read only by a role, the id of one object (its representative).
/// - For each class in a user's data, the ids and times of some of the local objects. Later syncs continue with the
///   next ones.
/// - For each class, a few whole rows that together have every known field.
struct WatchPlan: Sendable {
    private(set) var queries: [WatchQuery] = []
    /// By representative (the one object that is checked for an ACL), the number of the ACL.
    private(set) var representatives: [Pointer: Int64] = [:]
    /// The stored progress before this sync.
    let known: WatchState
    /// The progress to store after this sync has handled the answers.
    private(set) var next: WatchState

    /// - Parameters:
    ///   - names: the classes that this sync pulls.
    ///   - memory: the memory of earlier syncs.
    /// - Returns: nil if there is nothing to watch.
    init?(_ context: SyncContext, _ names: Set<String>, _ memory: inout WatchMemory) async throws(SyncError) {
        guard context.remote.answersWatch else { return nil }
        let pulled = context.classes.sorted.filter { names.contains($0.name) }
        let all = pulled.filter { Self.canBeWatched($0, context) }
        // A refused class is pulled from the beginning later, so the field differences that earlier syncs have found no
        // longer count.
        for name in Set(pulled.map(\.name)).subtracting(all.map(\.name)) { memory.differences[name] = nil }
        guard !all.isEmpty else { return nil }
        known = try await context.store { try await $0.watchState() }
        next = known
        let reader = try await context.store { $0.reader }
        let room = context.remote.batchMax - pulled.map(\.pulls.count).reduce(0, +) * 2
        let (part, classes) = Self.part(of: all, queriesEach: reader == nil ? 1 : 2, room: room, &memory)
        if let reader {
            queries.append(.roles(ofUser: reader))
            try await addObjects(of: classes.map(\.name), part, context, memory)
        }
        for name in classes.map(\.name) { try await addRows(of: name, context, &memory) }
    }

    private static func canBeWatched(_ syncClass: SyncClass, _ context: SyncContext) -> Bool {
        let capabilities = context.remote.capabilities(of: syncClass.name)
        return syncClass.initialSyncComplete && syncClass.refusal == nil && syncClass.stoppedBecause == nil
            && !capabilities.seesEverything && !capabilities.hasConditionalWrites
    }

    /// All classes. If one batch has no room for all, one half of the classes, alternating from sync to sync.
    private static func part(
        of classes: [SyncClass], queriesEach: Int, room: Int, _ memory: inout WatchMemory
    ) -> (WatchState.Part, ArraySlice<SyncClass>) {
        guard 1 + classes.count * queriesEach > room, classes.count > 1 else { return (.all, classes[...]) }
        defer { memory.isSecondHalf.toggle() }
        let half = (classes.count + 1) / 2
        return memory.isSecondHalf ? (.secondHalf, classes[half...]) : (.firstHalf, classes[..<half])
    }

    private mutating func addObjects(
        of names: [String], _ part: WatchState.Part, _ context: SyncContext, _ memory: WatchMemory
    ) async throws(SyncError) {
        let (after, max) = (known.lastACLs[part] ?? 0, context.options.watchedACLsMax)
        let acls = try await context.store { try await $0.representatives(after: after, max: max, in: names) }
        next.lastACLs[part] = acls.count < max ? nil : acls.last?.number
        for acl in acls { representatives[acl.object] = acl.number }
        for name in names {
            let (last, syncs) = (known.scrubbedTo[name], context.options.scrubSyncs)
            let bounds = context.options.scrubBounds
            let size = Swift.max(1, Swift.min(bounds.upperBound, memory.answerLimits[name]?.rows ?? .max))
            let range = Swift.min(bounds.lowerBound, size)...size
            let scrub = try await context.store { try await $0.scrub(of: name, after: last, in: syncs, bounds: range) }
            next.scrubbedTo[name] = scrub.last
            let more = representatives.keys.filter { $0.className == name }.map(\.objectId)
            let ids = scrub.ids + Set(more).subtracting(scrub.ids).sorted()
            if !ids.isEmpty { queries.append(.stamps(className: name, objectIds: ids)) }
        }
    }

    private mutating func addRows(
        of name: String, _ context: SyncContext, _ memory: inout WatchMemory
    ) async throws(SyncError) {
        if memory.canaries[name] == nil {
            let (place, max) = (memory.canaryPlaces[name] ?? CanaryPlace(), context.options.fieldCanariesMax)
            let next = try await context.store { try await $0.fieldCanaries(of: name, after: place, max: max) }
            memory.canaries[name] = WatchMemory.Canaries(ids: next.chosen)
            memory.canaryPlaces[name] = next
        }
        guard let canaries = memory.canaries[name], !canaries.ids.isEmpty else {
            (memory.canaries[name], memory.differences[name]) = (nil, nil)
            return
        }
        var rest = canaries.ids[...]
        while !rest.isEmpty {
            queries.append(.rows(className: name, objectIds: Array(rest.prefix(canaries.rowsMax))))
            rest = rest.dropFirst(canaries.rowsMax)
        }
    }

    /// Takes the classes with incomplete pulls out of the progress to be stored, so that the next sync checks them
    /// again.
    /// - Parameter incomplete: the classes whose pulls are not complete.
    mutating func postpone(_ incomplete: Set<String>) {
        if !incomplete.isEmpty, known.roles != nil { next.roles = known.roles }
        for name in incomplete { next.scrubbedTo[name] = known.scrubbedTo[name] }
        if representatives.keys.contains(where: { incomplete.contains($0.className) }) {
            next.lastACLs = known.lastACLs
        }
    }

    /// Takes the objects of a failed query out of the progress to be stored, so that the next sync checks them again.
    mutating func postpone(_ query: WatchQuery) {
        guard case .stamps(let className, _) = query else { return }
        next.scrubbedTo[className] = known.scrubbedTo[className]
        next.lastACLs = known.lastACLs
    }

    mutating func noteRoles(_ roles: [String: String]) { next.roles = roles }
}
