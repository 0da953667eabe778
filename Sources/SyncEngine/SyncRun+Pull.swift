import ParseModel
import RemoteService

/// Pull: every class's changes since its cursor, page by page, each page and its cursor in one transaction.
extension SyncRun {
    mutating func pull(_ classes: [SyncClass]) async throws(SyncError) {
        let inDoubt = try await classesInDoubt()
        let requests = classes.filter { !inDoubt.contains($0.name) }.map { syncClass in
            PullRequest(
                className: syncClass.name, cursor: syncClass.cursor,
                lookBackTo: syncClass.completeSince.map { $0 - options.overlap }, wantsCount: true)
        }
        var refusal: SyncError?
        for start in stride(from: 0, to: requests.count, by: remote.capabilities.batchMax) {
            let together = Array(requests[start..<min(start + remote.capabilities.batchMax, requests.count)])
            for (request, page) in try await firstPages(together, refusal: &refusal) {
                try await pull(request, from: page)
            }
        }
        // A remote that refuses every class is none that one could sync with.
        if let refusal, completeClasses.isEmpty { throw refusal }
    }

    /// The first pages of all classes, in one round trip. Where the remote refuses that, each class for itself:
    /// one that may not be read does not keep the others from being pulled.
    private mutating func firstPages(
        _ requests: [PullRequest], refusal: inout SyncError?
    ) async throws(SyncError) -> [(PullRequest, PullPage)] {
        do {
            let pages = try await asked { remote throws(RemoteError) in try await remote.pull(requests) }
            return Array(zip(requests, pages))
        } catch .refused(let code, let message) {
            guard requests.count > 1 else {
                refusal = .refused(code: code, message: message)
                summary.warnings.append("\(requests[0].className) cannot be pulled: \(message) (code \(code))")
                return []
            }
            var pages: [(PullRequest, PullPage)] = []
            for request in requests { pages += try await firstPages([request], refusal: &refusal) }
            return pages
        }
    }

    private mutating func pull(_ request: PullRequest, from first: PullPage) async throws(SyncError) {
        let className = request.className
        // The count is of all objects: of those that changed nobody knows how many there are.
        let isFirstPull = request.cursor == nil
        let began = first.serverTime
        serverClock.note(began, uptime: environment.uptime())
        var page = first
        var done = 0
        while true {
            // The next page is on its way while this one is written.
            let following =
                page.isLast
                ? nil
                : PullRequest(
                    className: className, cursor: page.cursor, until: began + .seconds(1),
                    wantsCount: page.changes.count < remote.capabilities.pageSize)
            async let next = ask(following)
            let (changes, cursor, isLast) = (page.changes, page.cursor, page.isLast)
            let tally = try await stored { store in
                try await store.apply(
                    changes, of: className, cursor: cursor, completeSince: isLast ? began : nil,
                    rebase: RebaseRules.merge)
            }
            note(tally, of: className)
            done += changes.count
            report(SyncProgress(phase: .pull, className: className, done: done, total: isFirstPull ? page.count : nil))
            if isLast { break }
            if isHalted() { throw .halted }
            do {
                guard let answer = try await next else { break }
                summary.requests += 1
                page = answer
            } catch {
                throw (error as? RemoteError).map(SyncError.init) ?? .store(String(describing: error))
            }
        }
        remoteCounts[className] = page.count
        completeClasses.insert(className)
    }

    private func ask(_ request: PullRequest?) async throws -> PullPage? {
        guard let request else { return nil }
        return try await remote.pull([request]).first
    }

    mutating func note(_ tally: PullTally, of className: String) {
        guard tally.upserted + tally.removed + tally.conflicts + tally.settled > 0 else { return }
        summary.note(className) {
            $0.pulled += tally.upserted
            $0.removed += tally.removed
            $0.conflicts += tally.conflicts
            $0.settled += tally.settled
        }
    }

    /// A create whose outcome is not known may be on the remote under an id that we cannot tell for ours:
    /// its class is not pulled before that is settled, or the object would appear twice.
    private func classesInDoubt() async throws(SyncError) -> Set<String> {
        let unknown = try await stored { try await $0.unknownOutcomes() }
        return Set(unknown.filter { $0.step.kind == .create }.map(\.className))
    }
}
