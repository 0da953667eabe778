import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Reads the changes of each class since its cursor, page by page. The transaction that stores the last rows of a page
/// also stores the new cursor.
struct Pull {
    /// The number of unusable answers after which the whole remote counts as faulty and the sync ends, if no pull was
    /// completed.
    private static let failuresMax = 3

    /// A pull, its stored state, and the request for its first page.
    private struct StartedPull {
        let id: PullId
        let state: PullState
        let request: PullRequest
    }

    private let context: SyncContext
    private var limits: PullLimits
    private var failures: [SyncError] = []
    /// The queries of the watch (the check whether the remote still shows known objects) that are sent with the first
    /// pages; empty once they were sent.
    private var queries: [WatchQuery]
    /// The answers to the queries; empty if the remote has not answered them.
    private(set) var answers: [WatchAnswer] = []

    /// - Parameter queries: queries that check whether the remote still shows known objects. They are sent with the
    ///   first pages.
    init(_ context: SyncContext, watching queries: [WatchQuery] = []) {
        self.context = context
        self.queries = queries
        limits = PullLimits(context)
    }

    private var remote: RemoteReader { context.remote }

    /// Pulls classes, except those that have a create of unknown outcome or have reached one of the `PullLimits`.
    /// - Parameters:
    ///   - names: the classes to pull.
    ///   - pulled: receives the completed pulls.
    mutating func run(_ names: Set<String>, _ pulled: inout PulledState) async throws(SyncError) {
        let doubtful = try await Self.classesWithUnknownCreates(context)
        let classes = context.classes.sorted.filter {
            names.contains($0.name) && !doubtful.contains($0.name)
        }
        let pulls = try await limits.filter(classes).flatMap { syncClass in
            syncClass.pulls.map { started($0, of: syncClass) }
        }
        for start in stride(from: 0, to: pulls.count, by: remote.batchMax) {
            let together = Array(pulls[start..<min(start + remote.batchMax, pulls.count)])
            for (started, page) in try await firstPages(together, pulled) {
                do {
                    try await pull(started, from: page, &pulled)
                } catch {
                    try await note(error, of: started.id, pulled)
                }
            }
        }
        guard pulled.isEmpty else { return }
        // If no class could be pulled, the sync fails with the first error that is not a refusal. If the remote has
        // only refused classes, the sync continues, so that changes are still pushed.
        for failure in failures where !failure.isRefusal { throw failure }
        pulled.refusal = failures.first { !$0.isForbidden } ?? failures.first
    }

    /// The classes with a create that got no clear answer. Such a class is not pulled: the created object may exist
    /// under an unknown id, and would then appear twice.
    static func classesWithUnknownCreates(_ context: SyncContext) async throws(SyncError) -> Set<String> {
        try await context.store { try await $0.classesWithUnknownCreates() }
    }

    private func started(_ state: PullState, of syncClass: SyncClass) -> StartedPull {
        StartedPull(
            id: syncClass.id(of: state.pull), state: state,
            request: PullRequest(
                syncClass.query(of: state.pull), cursor: state.cursor,
                lookBackTo: (state.completeSince ?? state.began).map { $0 - context.options.overlap },
                limit: remote.pageLimit(of: syncClass.name),
                wantsCount: wantsCount(of: syncClass.name, isFirst: state.cursor == nil),
                counted: syncClass.query(of: state.pull, livingOnly: true)))
    }

    // MARK: First pages

    /// Requests the first pages of the given pulls at once. After an error that may concern only one class, requests the first
    /// page of each pull separately, so that this class does not block the others.
    private mutating func firstPages(
        _ pulls: [StartedPull], _ pulled: PulledState
    ) async throws(SyncError) -> [(StartedPull, PullPage)] {
        let requests = pulls.map(\.request)
        let watched = queries
        queries = []
        let first: FirstPages
        do {
            first = try await remote.ask { remote throws(RemoteError) in
                try await remote.firstPages(requests, watching: watched)
            }
        } catch {
            // An error that may concern one row or class must not fail all pulls in the request. An example is a whole
            // row that is too large.
            guard pulls.count > 1 || !watched.isEmpty, error.isOfOneClass else {
                return try await page(of: pulls[0], insteadOf: error, pulled)
            }
            return try await separatePages(of: pulls, pulled)
        }
        answers += first.answers
        let isAlone = pulls.count == 1 && watched.isEmpty
        var pages: [(StartedPull, PullPage)] = []
        for (started, result) in zip(pulls, first.pages) {
            switch result {
            case .success(let page):
                if pages.isEmpty { remote.noteServerTime(page.serverTime) }
                pages.append((started, page))
            case .failure(let failure):
                let error = remote.failure(failure)
                // A refusal is a clear answer, so the page is not requested again.
                if isAlone || error.isForbidden || !error.isOfOneClass {
                    pages += try await page(of: started, insteadOf: error, pulled)
                } else {
                    pages += try await firstPages([started], pulled)
                }
            }
        }
        return pages
    }

    private mutating func separatePages(
        of pulls: [StartedPull], _ pulled: PulledState
    ) async throws(SyncError) -> [(StartedPull, PullPage)] {
        var pages: [(StartedPull, PullPage)] = []
        for started in pulls { pages += try await firstPages([started], pulled) }
        return pages
    }

    /// Requests a smaller page if the first page was too large. Records any other error.
    private mutating func page(
        of started: StartedPull, insteadOf error: SyncError, _ pulled: PulledState
    ) async throws(SyncError) -> [(StartedPull, PullPage)] {
        if case .unusable(let reason, isTooMuch: true) = error {
            return try await smallerFirstPage(of: started, reason: reason, pulled)
        }
        try await note(error, of: started.id, pulled)
        return []
    }

    private mutating func smallerFirstPage(
        of started: StartedPull, reason: String, _ pulled: PulledState
    ) async throws(SyncError) -> [(StartedPull, PullPage)] {
        do {
            let page = try await LargeRows(context).page(insteadOf: started.request, for: started.id, reason: reason)
            remote.noteServerTime(page.serverTime)
            return [(started, page)]
        } catch {
            try await note(error, of: started.id, pulled)
            return []
        }
    }

    /// Records the failed pull of a class.
    /// - Throws: the given error if it concerns the whole remote, or at `failuresMax` unusable answers without a completed pull.
    private mutating func note(
        _ error: SyncError, of pull: PullId, _ pulled: PulledState
    ) async throws(SyncError) {
        guard error.isOfOneClass else { throw error }
        failures.append(error)
        context.reporter.warn("\(pull.className) cannot be pulled: \(error.message)")
        if !error.isForbidden { context.reporter.update { $0.failedPulls?[pull.className] = error.message } }
        switch error {
        case .refused(_, let message) where error.isForbidden, .classUnauthorized(let message):
            try await context.store {
                try await $0.setRefusal(message, of: pull, hidesObjects: error.isForbidden)
            }
        default: break
        }
        // An unusable answer may concern one class only, so the sync continues after the first such answers.
        let unusable = failures.count(where: \.isUnusable)
        if unusable >= Self.failuresMax, pulled.isEmpty { throw error }
    }

    // MARK: One pull

    private mutating func pull(
        _ started: StartedPull, from first: PullPage, _ pulled: inout PulledState
    ) async throws(SyncError) {
        let (id, className, request) = (started.id, started.id.className, started.request)
        // The remote's count includes objects that earlier pulls have read. Only a first pull reads all of them, so
        // only a first pull reports the count as its total.
        let isFirstPull = request.cursor == nil
        let isNew = try await context.store { try await $0.baseCount(of: .allObjects(of: className)) } == 0
        let began = first.serverTime
        let ahead = PagesAhead(
            after: request, began: began, wantsCounts: wantsCount(of: className, isFirst: false), isNew: isNew, context)
        var page = first
        var lastRows = page.changes.count
        var failure: (any Error)?
        var isCounted = request.wantsCount
        var done = 0
        while true {
            if !page.changes.isEmpty { remote.notePage(of: className) }
            let (following, known) = (ahead.request(after: page, lastRows: lastRows), failure)
            // Requests the next pages while the current ones are stored.
            async let next = ahead.pages(following, failure: known)
            done += try await store(page, of: id, began: began, isNew: isNew)
            // Only some pages have the remote's count: the first page, and a page that is probably the last because the page
            // before it was short. The other pages report the first page's count.
            let total = isFirstPull ? page.count ?? first.count : nil
            context.reporter.progress(.pull, of: className, done: done, total: total)
            if page.isLast { break }
            try remote.requireNotHalted()
            // Returning cancels the request for the next pages.
            if try await limits.stopIfReached(by: className) { return }
            do {
                guard let answer = try await next else { break }
                (page, lastRows, isCounted) = (answer.page, answer.lastRows, answer.request.wantsCount)
                failure = answer.failure
            } catch {
                let error = (error as? RemoteError).map(SyncError.init) ?? SyncError(storeFailure: error)
                guard case .unusable(let reason, isTooMuch: true) = error, let following else { throw error }
                page = try await LargeRows(context).page(insteadOf: following, for: id, reason: reason)
                (lastRows, isCounted, failure) = (page.changes.count, following.wantsCount, nil)
            }
        }
        var count = page.count
        if !isCounted, wantsCount(of: className, isFirst: isFirstPull) {
            count =
                try await remote.ask { remote throws(RemoteError) in
                    try await remote.counts(of: request.counted, created: [.all])
                }.first ?? nil
        }
        // If the server's clock was set back, new rows may have earlier timestamps than the pull reaches back to. The
        // pull does not show such rows, so an audit must find them.
        let isInThePast = started.state.completeSince.map { began + context.options.overlap < $0 } ?? false
        pulled.note(id, began: began, remoteCount: count, beganInThePast: isInThePast)
    }

    /// Whether a pull asks for the number of remote objects. In a class with tombstones, pulls show the deletions, so
    /// the number is not worth a request of its own.
    /// - Parameter isFirst: whether the pull has no cursor. Its progress then shows the number as the total.
    private func wantsCount(of className: String, isFirst: Bool) -> Bool {
        let capabilities = remote.capabilities(of: className)
        return capabilities.countsObjects && (capabilities.countsWithPages || !capabilities.hasTombstones || isFirst)
    }

    /// Stores a page, in several transactions if clients write meanwhile. The last transaction moves the cursor. After
    /// a crash before it, the page is pulled again.
    /// - Parameter isNew: whether the store has no objects of the class.
    /// - Returns: the number of applied changes.
    private func store(
        _ page: PullPage, of id: PullId, began: ParseDate, isNew: Bool
    ) async throws(SyncError) -> Int {
        // If the remote counts no objects although the store has some, the answer is doubtful. The store then does not
        // record the pull as complete.
        let showsNothing = try await showsNothing(page, of: id)
        var rest = withTombstones(page.changes)[...]
        var applied = 0
        repeat {
            let part = Array(rest.prefix(context.store.rowsTogether))
            rest = rest.dropFirst(part.count)
            let isEnd = rest.isEmpty
            // If the store has no objects of the class, no row can be older than its local copy.
            let changes = isNew ? part : try await withoutOlderRows(part, of: id.className)
            let tally = try await context.store { store in
                try await store.apply(
                    changes, of: id, cursor: isEnd ? page.cursor : nil, began: began,
                    isLast: isEnd && page.isLast && !showsNothing)
            }
            context.reporter.note(tally, of: id.className)
            applied += changes.count
        } while !rest.isEmpty
        return applied
    }

    /// Converts rows that are marked as deleted (`deletedField`) to tombstones.
    private func withTombstones(_ changes: [RemoteChange]) -> [RemoteChange] {
        changes.map { change in
            guard case .upsert(let record) = change, context.classes.isDeleted(record) else { return change }
            return .tombstone(className: record.className, objectId: record.objectId)
        }
    }

    private func withoutOlderRows(
        _ changes: [RemoteChange], of className: String
    ) async throws(SyncError) -> [RemoteChange] {
        let rows = changes.compactMap { if case .upsert(let record) = $0 { record } else { nil } }
        let applicable = try await RowIntake(context).applicableRows(rows, of: className)
        guard applicable.count < rows.count else { return changes }
        let ids = Set(applicable.map(\.objectId))
        return changes.filter { if case .upsert(let record) = $0 { ids.contains(record.objectId) } else { true } }
    }

    private func showsNothing(_ page: PullPage, of pull: PullId) async throws(SyncError) -> Bool {
        guard page.showsNothing else { return false }
        return try await context.store { try await $0.baseCount(of: pull) } > 0
    }
}
