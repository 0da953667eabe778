import HTTPServer
import ParseModel
import StoreService

/// Executes batches.
///
/// Consecutive writes go to the store in one call. Parse Server executes the items of a batch concurrently. This type executes
/// the items in order, so that a later item sees the effect of an earlier one. The session and the roles are those of the time of
/// each item: a log-out or a changed password ends the rights of the items after it.
struct BatchRun: Sendable {
    let store: any ObjectStore
    let reads: ObjectReads
    let writes: ObjectWrites
    let dispatcher: Dispatcher
    let limits: RequestLimits
    let threads: BlockingReads
    let uptime: @Sendable () -> Duration
    /// Limits the total size of the item answers that all running batches hold.
    let answerBudget: ByteBudget
    /// Whether a session has ended; nil if items do not end with the session.
    let hasEnded: (@Sendable (_ token: String) throws -> Bool)?
    let audit: AuditStage?

    private enum Outcome {
        case success([UInt8])
        case failure(JSONObject)

        /// The error code of a failure; nil for a success.
        var code: Int? {
            if case .failure(let error) = self {
                error["code"]?.int ?? ParseError.Code.internalServerError.rawValue
            } else {
                nil
            }
        }
    }

    /// - Returns: `[{"success":…},{"error":…},…]` as JSON text.
    /// - Throws: the error that fails a transaction.
    func run(_ plan: BatchPlan) async throws -> [UInt8] {
        let client = plan.request.http.client
        let deadline = uptime() + limits.batchTimeMax
        var bytesLeft = limits.answerBytesMax
        var bytesReserved = 0
        defer { answerBudget.release(bytesReserved) }
        var outcomes = [Outcome](repeating: .success([]), count: plan.items.count)
        func note(_ result: Result<[UInt8], any Error>, at place: Int) {
            switch result {
            case .success(let text): outcomes[place] = .success(text)
            case .failure(let error):
                outcomes[place] = .failure(dispatcher.errors.answer(to: error, plan.request.http).batchItem)
            }
        }
        var waiting: [(place: Int, write: WriteRequest)] = []
        func flush() async throws {
            guard !waiting.isEmpty else { return }
            let results: [Result<WriteReceipt, any Error>]
            var principal = plan.request.principal
            do {
                principal = try present(plan)
                results = await perform(waiting.map(\.write), as: principal, isAtomic: plan.isAtomic)
            } catch {
                results = waiting.map { _ in .failure(error) }
            }
            for (waiting, result) in zip(waiting, results) {
                if plan.isAtomic, case .failure(let error) = result {
                    throw writes.refusal(error, of: waiting.write.className, to: principal)
                }
                let answered = result.map { ObjectWrites.answer(to: waiting.write, $0).jsonBytes }
                    .mapError { writes.refusal($0, of: waiting.write.className, to: principal) }
                note(answered, at: waiting.place)
            }
            waiting = []
        }
        var remoteIsAway = false
        for (place, item) in plan.items.enumerated() {
            // After the time limit, or after the client has disconnected, no further item is executed. The items of a transaction
            // are exempt, because they are one write.
            guard plan.isAtomic || !client.hasDisconnected && uptime() < deadline else {
                note(.failure(Self.overdue), at: place)
                continue
            }
            switch item {
            case .write(let write):
                do {
                    if let objectId = write.objectId {
                        try await dispatcher.readiness.wait(for: write.className, objectId)
                    }
                    // Other writes need the principal only when they are executed.
                    let request =
                        AccountPreparation.concerns(write)
                        ? plan.request.acting(as: try present(plan)) : plan.request
                    switch try await writes.prepared(write, for: request) {
                    case .write(let write): waiting.append((place, write))
                    case .answer(let user, _): note(.success(user.jsonBytes), at: place)
                    }
                } catch {
                    if plan.isAtomic { throw error }
                    note(.failure(error), at: place)
                }
            case .read(let target, let parameters):
                try await flush()
                note(await read(target, parameters, plan, bytesMax: bytesLeft, until: deadline), at: place)
            case .request(let request, let isForwarded):
                try await flush()
                // If the remote did not answer a forwarded item, later forwarded items are not sent, to save their waiting time.
                guard !isForwarded || !remoteIsAway else {
                    note(.failure(Self.notAsked), at: place)
                    continue
                }
                do {
                    let isOpen = request.route.policy.ignoresSession
                    let request = isOpen ? request : request.acting(as: try present(plan))
                    let response = try await dispatcher.reply(to: request).response()
                    audit?.noteSignIn(response, request.route, client: request.http.peer)
                    if isForwarded { remoteIsAway = [503, 504].contains(response.status.code) }
                    outcomes[place] = Self.outcome(of: response, bytesMax: bytesLeft)
                } catch {
                    note(.failure(error), at: place)
                }
            case .refused(let error): note(.failure(error), at: place)
            }
            guard case .success(let text) = outcomes[place], !text.isEmpty else { continue }
            guard answerBudget.reserve(text.count) else {
                note(.failure(APIError.busy), at: place)
                continue
            }
            bytesReserved += text.count
            bytesLeft -= text.count
        }
        try await flush()
        audit?.note(plan.calls, of: plan.request, codes: outcomes.map(\.code))
        return Self.text(of: outcomes)
    }

    private func perform(
        _ writes: [WriteRequest], as principal: Principal, isAtomic: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        let results = await store.perform(writes, as: principal, atomically: isAtomic)
        return await dispatcher.readiness.repeating(results, isAtomic: isAtomic) { places in
            await store.perform(places.map { writes[$0] }, as: principal, atomically: isAtomic)
        }
    }

    private func read(
        _ target: ObjectTarget, _ parameters: JSONObject, _ plan: BatchPlan, bytesMax: Int, until deadline: Duration
    ) async -> Result<[UInt8], any Error> {
        let client = plan.request.http.client
        let read = { (awaited: Set<String>) async throws -> [UInt8] in
            let time = min(limits.queryTimeMax, max(.zero, deadline - uptime()))
            return try await threads.run(.batchItem, for: client) {
                let terms = ObjectReads.Terms(
                    showsMark: plan.request.parse.asksForSyncState, principal: try present(plan),
                    timeout: ReadTimeout(time, for: client), bytesMax: bytesMax, awaited: awaited,
                    sessionToken: plan.request.parse.credentials.sessionToken)
                return try reads.read(target, parameters, terms)
            }.get()
        }
        do {
            try await dispatcher.readiness.wait(for: target.className, target.objectId)
            return .success(try await dispatcher.readiness.repeating(read))
        } catch {
            return .failure(error)
        }
    }

    /// The principal of the batch with the present roles.
    /// - Throws: `ParseError` 209 (invalid session token) if the session has ended since the batch began.
    private func present(_ plan: BatchPlan) throws -> Principal {
        let principal = plan.request.principal
        if let hasEnded, let token = plan.request.parse.credentials.sessionToken, try hasEnded(token) {
            throw ParseError.invalidSession
        }
        guard store.restrictsFeed(for: principal) else { return principal }
        guard let present = try store.present(principal) else { throw ParseError.invalidSession }
        return present
    }

    private static let overdue = ParseError(.timeout, "The batch takes too long: this item was not executed.")
    private static let notAsked = APIError.remoteUnreachable(
        reason: "The remote did not answer an earlier item, so this item was not sent.")

    /// Converts the response to an item's request into an item of the answer, without status and headers.
    private static func outcome(of response: HTTPServerResponse, bytesMax: Int) -> Outcome {
        let object = (try? JSONReader.read(response.body, depthMax: JSONReader.answerDepthMax))
        guard response.status.kind == .successful, object != nil || response.body.isEmpty else {
            let error = object?.object.flatMap { $0["error"] == nil ? nil : $0 }
            return .failure(
                error ?? [
                    "code": 1, "error": .string("The answer was HTTP \(response.status.code), without a reason."),
                ])
        }
        guard response.body.count <= bytesMax else {
            return .failure(
                ErrorAnswer(ParseError(.objectTooLarge, "The answers exceed the size limit of a batch.")).batchItem)
        }
        return .success(response.body.isEmpty ? Array("{}".utf8) : response.body)
    }

    private static func text(of outcomes: [Outcome]) -> [UInt8] {
        var writer = JSONWriter(reserving: 96 * outcomes.count + 2)
        writer.raw("[")
        for (place, outcome) in outcomes.enumerated() {
            if place > 0 { writer.raw(",") }
            switch outcome {
            case .success(let text): writer.raw("{\"success\":\(String(decoding: text, as: UTF8.self))}")
            case .failure(let error): writer.write(["error": .object(error)] as JSONObject)
            }
        }
        writer.raw("]")
        return writer.bytes
    }
}
