import ParseModel
import RemoteService
import StoreService
import SyncModel

/// One sync. `run` runs the phases in order; each phase has its own type.
///
/// A class without conditional writes is pulled before the push, so that edits of other clients are not overwritten. Each write
/// to the store is one transaction, so a sync may end at any point, and the next sync continues from there.
struct SyncRun: Sendable {
    /// The maximum number of pending entries, and of files, that `countDeferred` counts.
    private static let countMax = 1000

    let context: SyncContext
    /// The accesses of the authors to the remote; nil if all changes belong to the gateway itself.
    var authors: (any AuthorRemotes)?
    let observe: @Sendable (SyncEvent) -> Void

    private var store: StoreCalls { context.store }

    /// Runs the phases of the sync that the request includes.
    /// - Parameter memory: the state that the engine keeps between syncs. Updated even after an error.
    func run(_ request: SyncRequest, _ memory: inout EngineMemory) async throws(SyncError) {
        if request.pulls { context.reporter.update { $0.failedPulls = [:] } }
        try await requireFullAccess(&memory)
        var pulled = PulledState(before: try await context.withCurrentClasses().classes)
        let comparesAll = try await findRestoredBackup()
        try await prove(memory)
        if request.pulls { try await InnerQueries(try await context.withCurrentClasses()).run() }
        var watch = request.pulls ? try await pullWatching(&pulled, &memory) : nil
        var pushed: Set<String> = []
        if request.pushes { pushed = try await push(pulled, &memory) }
        if request.pulls {
            // Pulls the classes with sent changes, because the server may have changed more fields than its answers
            // showed. Also pulls all classes with conditional writes, which are pulled after the push.
            try await pull(&pulled) { pushed.contains($0) || hasConditionalWrites($0) }
            let confirmed = try await confirm(pushed)
            // Classes with a create of unknown outcome are neither audited nor swept (compared with the remote and
            // searched for deleted objects): the remote may have the created object under an unknown id.
            pulled.forget(try await Pull.classesWithUnknownCreates(context))
            try await pullRelations(&memory)
            try await findLostObjects(&watch, &pulled, &memory)
            try await audit(request, comparesAll: comparesAll, &pulled, &memory)
            try await sweep(confirmed, comparesAll: comparesAll, &pulled, &memory)
            if let watch { try await remember(watch.plan, &memory) }
        }
        try throwIfNothingSucceeded(pulled)
        try await countDeferred(request)
        memory.hasFullAccess = true
    }

    // MARK: Phases

    /// Checks that the remote accepts the key under which the gateway reads everything. Runs in the first sync and in
    /// the sync after a failed one. `Removals` makes the same check.
    private func requireFullAccess(_ memory: inout EngineMemory) async throws(SyncError) {
        if !memory.hasFullAccess { try await context.remote.requireFullAccess() }
        memory.hasFullAccess = false
    }

    /// Notes in `olderRows` that the remote seems to be a restored backup, if an earlier sync has found this and the
    /// comparison of all objects or a user's decision is still outstanding.
    /// - Returns: whether all objects must still be compared because of the restored backup.
    private func findRestoredBackup() async throws(SyncError) -> Bool {
        let comparesAll = try await store { try await $0.comparesAllAfterRestore() }
        let isHeld = try await store { try await $0.holdsRestoredBackup() }
        if comparesAll || isHeld { context.olderRows.noteRestored() }
        return comparesAll
    }

    /// Finds out the outcomes of requests without a clear answer, by reading their objects, before changes are rebased
    /// or sent again.
    private func prove(_ memory: EngineMemory) async throws(SyncError) {
        for sender in [context] + (try await everySender()) {
            try await phase(.prove, for: sender) { context throws(SyncError) in
                try await Prove(context, hasPushedBefore: memory.hasPushed).run(answered: memory.answered)
            }
        }
    }

    private func hasConditionalWrites(_ className: String) -> Bool {
        context.remote.capabilities(of: className).hasConditionalWrites
    }

    /// Pulls the classes for which `isWanted` returns true.
    private func pull(
        _ pulled: inout PulledState, where isWanted: (_ className: String) -> Bool
    ) async throws(SyncError) {
        let classes = try await context.withCurrentClasses().classes
        let names = Set(classes.sorted.map(\.name).filter(isWanted))
        guard !names.isEmpty else { return }
        try await phase(.pull) { context throws(SyncError) in
            var pull = Pull(context)
            try await pull.run(names, &pulled)
        }
    }

    // MARK: Watch

    /// The queries of the watch (the check whether the remote still shows known objects and fields) that were sent with
    /// a pull, and their answers.
    private struct Watched {
        var plan: WatchPlan
        let answers: [WatchAnswer]
    }

    /// Pulls the classes without conditional writes, and sends the queries of the watch in the same batch. If the rows
    /// of a class have lost or gained fields, pulls this class again from the beginning.
    /// - Returns: nil if there is nothing to check.
    private func pullWatching(
        _ pulled: inout PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) -> Watched? {
        let current = try await context.withCurrentClasses()
        let names = Set(current.classes.sorted.map(\.name).filter { !hasConditionalWrites($0) })
        guard let plan = try await WatchPlan(current, names, &memory.watch) else {
            try await pull(&pulled) { names.contains($0) }
            return nil
        }
        let answers = try await phase(.pull) { context throws(SyncError) in
            var pull = Pull(context, watching: plan.queries)
            try await pull.run(names, &pulled)
            return pull.answers
        }
        guard answers.count == plan.queries.count else { return nil }
        let differing = try await Watch(current).classesWithOtherFields(plan, answers, pulled, &memory.watch)
        if !differing.isEmpty { try await pull(&pulled) { differing.contains($0) } }
        return Watched(plan: plan, answers: answers)
    }

    private func findLostObjects(
        _ watch: inout Watched?, _ pulled: inout PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) {
        guard var watched = watch else { return }
        try await phase(.audit) { context throws(SyncError) in
            try await Watch(context).findLostObjects(
                &watched.plan, watched.answers, &pulled, &memory.watch, &memory.relations)
        }
        watch = watched
    }

    /// Stores how far the watch (the check of known objects) has come, unless its findings could not be handled.
    private func remember(_ plan: WatchPlan, _ memory: inout EngineMemory) async throws(SyncError) {
        for (name, figures) in context.reporter.summary.classes
        where figures.pulled + figures.pushed + figures.removed > 0 {
            guard memory.watch.differences[name]?.latest.isEmpty != false else { continue }
            memory.watch.canaries[name] = nil
        }
        guard !Removals(context).arePostponed else { return }
        let next = plan.next
        if next != plan.known { try await store { try await $0.setWatchState(next) } }
    }

    // MARK: Push

    /// Sends the changes of the gateway and then those of each author. A change may depend on a change of another
    /// author, for example on the create of its object. The authors therefore take turns until a round sends nothing.
    /// - Returns: the classes of the entries that this sync has tried to send.
    private func push(_ pulled: PulledState, _ memory: inout EngineMemory) async throws(SyncError) -> Set<String> {
        let waiting = try await store { try await $0.waitingCount() }
        var progress = PushProgress(
            waitingAtStart: waiting, answered: memory.answered, refusedSince: memory.refusedSince)
        defer { (memory.answered, memory.refusedSince) = (progress.answered, progress.refusedSince) }
        var uploaded: Set<String> = []
        var pushed = try await push(context, pulled, &progress, &uploaded, memory)
        var refused: Set<SyncAuthor> = []
        var hasSent = true
        while hasSent {
            let triedBefore = progress.tried.count + uploaded.count
            for (author, sender) in try await sendersByAuthor() where !refused.contains(author) {
                do {
                    pushed.formUnion(try await push(sender, pulled, &progress, &uploaded, memory))
                } catch .unauthorized(let message) {
                    // The refusal concerns this author's session, so only this author's changes wait. A refusal of the
                    // gateway's own requests is handled elsewhere.
                    refused.insert(author)
                    context.logger.notice("the changes of an author wait for a log-in: \(message)")
                }
            }
            hasSent = progress.tried.count + uploaded.count > triedBefore
            if !hasSent { hasSent = try await breakCycle() }
            if hasSent { pushed.formUnion(try await push(context, pulled, &progress, &uploaded, memory)) }
        }
        return pushed
    }

    /// Alternates between sending changes of one author and uploading files, so that small changes do not wait for
    /// large files of other objects.
    private func push(
        _ sender: SyncContext, _ pulled: PulledState, _ progress: inout PushProgress, _ uploaded: inout Set<String>,
        _ memory: EngineMemory
    ) async throws(SyncError) -> Set<String> {
        var pushed: Set<String> = []
        repeat {
            try await phase(.push, total: progress.waitingAtStart, for: sender) { context throws(SyncError) in
                pushed.formUnion(try await Push(context, after: pulled).run(&progress))
                try await Prove(context, hasPushedBefore: memory.hasPushed).run(answered: progress.answered)
            }
        } while try await phase(.files, for: sender) { context throws(SyncError) in
            try await FilePush(context).run(&uploaded)
        }
        return pushed
    }

    // MARK: Authors

    /// Splits a create if new objects of several authors point to each other in a cycle. `Push` cannot find such a
    /// cycle, because it sees only the changes of one author.
    /// - Returns: whether a create was split, so that it can be sent.
    private func breakCycle() async throws(SyncError) -> Bool {
        guard authors != nil else { return false }
        var entries: [OutboxEntry] = []
        for sender in [context] + (try await sendersByAuthor().map(\.1)) {
            entries += try await sender.store { try await $0.outbox(limit: Self.countMax) }
        }
        guard case .breakCycle(let entry, let fields) = PushPlanner.cycle(in: entries) else { return false }
        try await store { try await $0.split(entry, deferring: fields) }
        return true
    }

    /// The contexts for the changes of all authors, all with the gateway's access to the remote. They are used only to
    /// read.
    private func everySender() async throws(SyncError) -> [SyncContext] {
        guard authors != nil else { return [] }
        var senders: [SyncContext] = []
        for author in try await store({ try await $0.waitingAuthors() }) {
            senders.append(context.sending(from: try await store { try await $0.sending(for: author) }, to: nil))
        }
        return senders
    }

    /// The authors whose changes can be sent now, in the order of their oldest changes.
    private func sendersByAuthor() async throws(SyncError) -> [(SyncAuthor, SyncContext)] {
        guard let authors else { return [] }
        var senders: [(SyncAuthor, SyncContext)] = []
        for author in try await store({ try await $0.waitingAuthors() }) {
            guard let remote = await authors.remote(of: author) else { continue }
            let waiting = try await store { try await $0.sending(for: author) }
            senders.append((author, context.sending(from: waiting, to: remote)))
        }
        return senders
    }

    /// Reads objects by id in classes that are not pulled: those with an acknowledged change that the remote has not
    /// shown yet.
    /// - Parameter pushed: the classes of the entries that this sync has tried to send.
    /// - Returns: the classes whose objects this sync has tried to read.
    private func confirm(_ pushed: Set<String>) async throws(SyncError) -> Set<String> {
        let context = try await context.withCurrentClasses()
        let unseen = try await store { try await $0.classesWithUnseenWrites() }
        let pulled = context.classes.sorted.filter(\.isPulled).map(\.name)
        let classNames = pushed.union(unseen).subtracting(pulled)
        try await PushedObjects(context).confirm(classNames)
        return classNames
    }

    private func pullRelations(_ memory: inout EngineMemory) async throws(SyncError) {
        let areLeft = try await phase(.relations) { context throws(SyncError) in
            try await Relations.run(context, &memory.relations)
        }
        context.reporter.update { $0.relationsLeft = areLeft }
    }

    private func audit(
        _ request: SyncRequest, comparesAll: Bool, _ pulled: inout PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) {
        let always = request.audits || comparesAll
        let current = try await context.withCurrentClasses()
        if always || Audit(current).isDue(pulled) {
            try await phase(.audit) { context throws(SyncError) in
                try await Audit(context).run(always: always, &pulled, &memory.relations)
            }
        }
        if RecentAudit(current).isDue(pulled) {
            try await phase(.audit) { context throws(SyncError) in
                try await RecentAudit(context).run(pulled, &memory.relations)
            }
        }
    }

    private func sweep(
        _ confirmed: Set<String>, comparesAll: Bool, _ pulled: inout PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) {
        try await phase(.sweep) { context throws(SyncError) in
            try await UnseenWriteCheck(context, pulled, confirmed: confirmed).readEdited()
            try await Sweep(context).run(comparesAll: comparesAll, &pulled, &memory)
            try await UnseenWriteCheck(context, pulled, confirmed: confirmed).settle()
        }
    }

    /// Runs one phase with the current classes, and logs the results of the phase.
    private func phase<Value: Sendable>(
        _ phase: SyncProgress.Phase, total: Int? = nil, for sender: SyncContext? = nil,
        _ body: (SyncContext) async throws(SyncError) -> Value
    ) async throws(SyncError) -> Value {
        let (before, began) = (context.reporter.summary, context.environment.uptime())
        context.reporter.progress(phase, done: 0, total: total)
        let value = try await body(try await (sender ?? context).withCurrentClasses())
        observe(.phaseEnded(phase, duration: context.environment.uptime() - began))
        let results = context.reporter.summary.since(before)
        context.logger.log(
            level: results.isEmpty ? .debug : .info, "\(phase.rawValue): \(results.isEmpty ? "nothing new" : results)")
        return value
    }

    // MARK: The end

    /// Throws the remote's refusal if the remote refused every pull and no change was sent. A class without read
    /// permission is an exception: its refusal is not thrown.
    private func throwIfNothingSucceeded(_ pulled: PulledState) throws(SyncError) {
        guard let refusal = pulled.refusal, pulled.isEmpty, context.reporter.summary.pushed == 0,
            !refusal.isForbidden
        else { return }
        // If every class is refused, the keys are the likely cause.
        if case .classUnauthorized(let message) = refusal { throw .unauthorized(message: message) }
        throw refusal
    }

    /// Counts the changes and files that a later sync will try to send. Has no effect if the request does not include a push.
    private func countDeferred(_ request: SyncRequest) async throws(SyncError) {
        guard request.pushes else { return }
        var count = 0
        for sender in [context] + (try await sendersByAuthor().map(\.1)) {
            let waiting = try await sender.store { try await $0.outbox(limit: Self.countMax) }
            let unknown = try await sender.store { try await $0.unknownOutcomes() }
            let files = try await sender.store { try await $0.filesToUpload(limit: Self.countMax) }
            count += waiting.count { $0.awaits.isEmpty } + unknown.count + files.count
        }
        let deferred = count
        context.reporter.update { $0.deferred = deferred }
    }
}
