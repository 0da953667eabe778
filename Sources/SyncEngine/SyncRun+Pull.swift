import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Pull: every class's changes since its cursor, page by page, each page and its cursor in one transaction.
extension SyncRun {
    /// Failures after which the remote itself, not one of its classes, is at fault.
    private static let failuresMax = 3

    /// One pull of one class, and what is asked for first.
    struct Begun {
        let id: PullId
        let state: PullState
        var request: PullRequest
    }

    mutating func pull(_ classes: [SyncClass]) async throws(SyncError) {
        let inDoubt = try await classesInDoubt()
        let pulls = try await withoutStopped(classes.filter { !inDoubt.contains($0.name) }).flatMap { syncClass in
            syncClass.pulls.map { state in
                Begun(
                    id: syncClass.id(of: state.pull), state: state,
                    request: PullRequest(
                        syncClass.query(of: state.pull), cursor: state.cursor,
                        lookBackTo: (state.completeSince ?? state.began).map { $0 - options.overlap },
                        limit: pageLimit(of: syncClass.name), wantsCount: true,
                        counted: syncClass.query(of: state.pull, livingOnly: true)))
            }
        }
        var failures: [SyncError] = []
        for start in stride(from: 0, to: pulls.count, by: remote.capabilities.batchMax) {
            let together = Array(pulls[start..<min(start + remote.capabilities.batchMax, pulls.count)])
            for (begun, page) in try await firstPages(together, &failures) {
                do {
                    try await pull(begun, from: page)
                } catch {
                    try await note(error, of: begun.id, in: &failures)
                }
            }
        }
        guard completePulls.isEmpty else { return }
        // A remote that no class can be pulled from is none that one could sync with. What it refuses in so many words
        // does not keep our changes from being sent.
        for failure in failures {
            guard case .refused = failure else { throw failure }
        }
        refusal = failures.first
    }

    /// The first pages of all classes, in one round trip. Where the remote refuses that, or the answer cannot be used,
    /// each class for itself: one that cannot be read does not keep the others from being pulled.
    private mutating func firstPages(
        _ pulls: [Begun], _ failures: inout [SyncError]
    ) async throws(SyncError) -> [(Begun, PullPage)] {
        let requests = pulls.map(\.request)
        do {
            let pages = try await asked { remote throws(RemoteError) in try await remote.pull(requests) }
            if let page = pages.first {
                serverClock.note(page.serverTime, asked: askedAt, answered: environment.uptime())
            }
            return Array(zip(pulls, pages))
        } catch {
            guard pulls.count > 1, error.isOfOneClass else {
                if pulls.count == 1, case .unusable(let reason, isTooMuch: true) = error {
                    return try await smallerFirstPage(of: pulls[0], tooMuch: reason, &failures)
                }
                try await note(error, of: pulls[0].id, in: &failures)
                return []
            }
        }
        var pages: [(Begun, PullPage)] = []
        for begun in pulls { pages += try await firstPages([begun], &failures) }
        return pages
    }

    private mutating func smallerFirstPage(
        of begun: Begun, tooMuch reason: String, _ failures: inout [SyncError]
    ) async throws(SyncError) -> [(Begun, PullPage)] {
        do {
            let page = try await pageInstead(of: begun.request, for: begun.id, tooMuch: reason)
            serverClock.note(page.serverTime, asked: askedAt, answered: environment.uptime())
            return [(begun, page)]
        } catch {
            try await note(error, of: begun.id, in: &failures)
            return []
        }
    }

    /// Those of the classes that are below their limits.
    private mutating func withoutStopped(_ classes: [SyncClass]) async throws(SyncError) -> [SyncClass] {
        var going: [SyncClass] = []
        for syncClass in classes {
            if syncClass.isPulled, let reason = try await limitReached(by: syncClass.name) {
                try await stopPulling(syncClass.name, because: reason)
            } else {
                try await setStopped(syncClass.name, because: nil)
                going.append(syncClass)
            }
        }
        return going
    }

    /// - Throws: what is not a matter of one class, and what so many classes have failed with that it cannot be.
    private mutating func note(
        _ error: SyncError, of pull: PullId, in failures: inout [SyncError]
    ) async throws(SyncError) {
        guard error.isOfOneClass else { throw error }
        failures.append(error)
        warn("\(pull.className) cannot be pulled: \(error.message)")
        if error.isForbidden, case .refused(_, let message) = error {
            try await stored { try await $0.setRefusal(message, of: pull) }
        }
        // Whoever refuses a query in the words of the protocol has nothing against the next one.
        let unusable = failures.count(where: \.isUnusable)
        if unusable >= Self.failuresMax, completePulls.isEmpty { throw error }
    }

    private mutating func pull(_ begun: Begun, from first: PullPage) async throws(SyncError) {
        let (id, className, request) = (begun.id, begun.id.className, begun.request)
        // The count is of all objects: of those that changed nobody knows how many there are.
        let isFirstPull = request.cursor == nil
        let isNew = try await stored { try await $0.baseCount(of: .allObjects(of: className)) } == 0
        let began = first.serverTime
        var page = first
        var isCounted = request.wantsCount
        var done = 0
        while true {
            // The next page is on its way while this one is written.
            if !page.changes.isEmpty { notePage(of: className) }
            let following =
                page.isLast
                ? nil
                : PullRequest(
                    request.query, cursor: page.cursor, until: began + .seconds(1), limit: pageLimit(of: className),
                    wantsCount: page.changes.count < remote.capabilities.pageSize, counted: request.counted)
            async let next = ask(following)
            let (cursor, isLast) = (page.cursor, page.isLast)
            // Nothing is known of the objects of a class that is new here, so no row of it can be older.
            let changes =
                isNew
                ? withTombstones(page.changes) : try await withoutOlderRows(withTombstones(page.changes), of: className)
            // A remote that shows nothing of what it had has not shown either what it committed late.
            let hasNothing = try await hasNothingLeft(page, of: id)
            let isComplete = isLast && !hasNothing
            let tally = try await stored { store in
                try await store.apply(
                    changes, of: id, cursor: cursor, began: began, isLast: isComplete, rebase: RebaseRules.rebase)
            }
            note(tally, of: className)
            done += changes.count
            // Only the first page and the last one bring the count.
            let total = isFirstPull ? page.count ?? first.count : nil
            report(SyncProgress(phase: .pull, className: className, done: done, total: total))
            if isLast { break }
            if isHalted() { throw .halted }
            if let reason = try await limitReached(by: className) {
                try await stopPulling(className, because: reason)
                _ = try? await next
                return
            }
            do {
                guard let answer = try await next else { break }
                page = answer
                isCounted = following?.wantsCount == true
            } catch {
                let error = (error as? RemoteError).map(SyncError.init) ?? SyncError(storeFailure: error)
                guard case .unusable(let reason, isTooMuch: true) = error, let following else { throw error }
                page = try await pageInstead(of: following, for: id, tooMuch: reason)
                isCounted = following.wantsCount
            }
        }
        remoteCounts[id] = page.count
        if !isCounted {
            remoteCounts[id] =
                try await asked { remote throws(RemoteError) in
                    try await remote.counts(of: request.counted, created: [.all])
                }.first ?? nil
        }
        completePulls[id] = began
        // Whatever was stamped between the hands' turning and now, no overlap reaches back to.
        if let last = begun.state.completeSince, began + options.overlap < last { pullsInThePast.insert(id) }
    }

    private mutating func withoutOlderRows(
        _ changes: [RemoteChange], of className: String
    ) async throws(SyncError) -> [RemoteChange] {
        let rows = changes.compactMap { if case .upsert(let record) = $0 { record } else { nil } }
        let news = try await news(rows, of: className)
        guard news.count < rows.count else { return changes }
        let ids = Set(news.map(\.objectId))
        return changes.filter { if case .upsert(let record) = $0 { ids.contains(record.objectId) } else { true } }
    }

    private func hasNothingLeft(_ page: PullPage, of pull: PullId) async throws(SyncError) -> Bool {
        guard page.count == 0, page.changes.isEmpty else { return false }
        return try await stored { try await $0.baseCount(of: pull) } > 0
    }

    /// A class may mark its deleted objects instead of removing them.
    private func withTombstones(_ changes: [RemoteChange]) -> [RemoteChange] {
        changes.map { change in
            guard case .upsert(let record) = change, isDeleted(record) else { return change }
            return .tombstone(className: record.className, objectId: record.objectId)
        }
    }

    private func ask(_ request: PullRequest?) async throws -> PullPage? {
        guard let request else { return nil }
        return try await remote.pull([request]).first
    }

    /// A create whose outcome is not known may be on the remote under an id that we cannot tell for ours:
    /// its class is neither pulled nor searched before that is settled, or the object would appear twice.
    func classesInDoubt() async throws(SyncError) -> Set<String> {
        let unknown = try await stored { try await $0.unknownOutcomes() }
        return Set(unknown.filter { $0.step.kind == .create }.map(\.className))
    }
}
