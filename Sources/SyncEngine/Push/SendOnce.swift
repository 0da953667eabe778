import ParseModel
import RemoteService
import SyncModel

/// Sends one change at once, for a client that wants it on the remote or nowhere. The change is never sent again. If
/// its answer is lost, `Prove` finds out whether it was executed.
struct SendOnce {
    /// Stores the change as in flight.
    /// - Parameters:
    ///   - serverTime: the time of sending, by the server's clock.
    ///   - marked: returns the entry with the field in which the request leaves its operation id.
    package typealias Begin =
        @Sendable (_ serverTime: ParseDate, _ marked: @escaping @Sendable (OutboxEntry) -> OutboxEntry) async throws ->
        OutboxEntry

    /// The number of times that the change is made anew, if the remote did not execute it because of something that the
    /// gateway has learned from the refusal: a newer row, or that creates may not choose ids.
    private static let attemptsMax = 3

    let context: SyncContext

    /// - Parameters:
    ///   - className: the class of the change.
    ///   - objectId: the object to change; nil for a create.
    /// - Throws: `SyncError` before anything is stored; the errors of `begin`.
    func run(_ className: String, _ objectId: String?, _ begin: Begin) async throws -> SentOnce {
        var progress = PushProgress(waitingAtStart: 0, answered: [], refusedSince: [:])
        var attempts = 0
        while true {
            attempts += 1
            let serverTime = try await context.remote.serverNow()
            var sendsId = false
            if let objectId {
                try await readTarget(className, objectId)
            } else {
                sendsId = try await ChosenIds(context).accepts(className)
            }
            let entry = try await begin(serverTime) { [opFields = progress.opFields] in opFields.marked($0, context) }
            let sent = try await send(entry, sendsId: sendsId, &progress)
            guard sent.mayBeMadeAnew, attempts < Self.attemptsMax else { return sent }
        }
    }

    /// Reads the object, so that the change overwrites no edit that this gateway has not read, and so that the change is
    /// judged against the present row if its answer is lost.
    /// - Throws: also if the remote shows an older state of the object, or seems to show nothing.
    private func readTarget(_ className: String, _ objectId: String) async throws(SyncError) {
        guard !context.remote.capabilities(of: className).hasConditionalWrites else { return }
        do throws(SyncError) {
            let rows = try await ObjectLookup(context).fetch(className, [objectId])
            let applied = try await RowIntake(context).apply(rows, of: className)
            guard applied.count == rows.count else {
                throw .unusable(reason: "it shows an older state of \(className) \(objectId)", isTooMuch: false)
            }
        } catch {
            // The object may be writable and not readable.
            guard case .refused = error else { throw error }
        }
    }

    private func send(
        _ entry: OutboxEntry, sendsId: Bool, _ progress: inout PushProgress
    ) async throws(SyncError) -> SentOnce {
        let operationIds = OperationIds(context, entry.className)
        let opField = progress.opFields.field(of: entry, context)
        let cleanup = opField.flatMap {
            operationIds.cleanup(entry, in: $0, requestId: context.environment.requestId())
        }
        if let cleanup { _ = await context.remote.push([cleanup]) }
        let operation = OperationForm(
            options: context.classes.options(of: entry.className), opField: opField, operationIds: operationIds,
            markedRow: nil
        ).operation(entry, sendsObjectId: sendsId, wasAttempted: false)
        let number = context.settled.open()
        defer { context.settled.close() }
        let outcome = await context.remote.push([operation]).first ?? .unknown(reason: "an empty answer")
        var settling = PushSettling(context)
        do {
            try await settling.settle([entry], [outcome], attemptedBefore: [], &progress)
        } catch .store(let reason) {
            throw .store(reason)
        } catch .storeFull {
            throw .storeFull
        } catch {
            // The outcome of the request is the reason, and the decision about it is stored.
        }
        let decision = context.settled.last(of: entry.id, since: number) ?? .unknown(reason: "no decision")
        return SentOnce(entry: entry, outcome: outcome, decision: decision)
    }
}

/// A change that was sent once, with its outcome.
package struct SentOnce: Sendable {
    package let entry: OutboxEntry
    /// The remote's answer to the request.
    package let outcome: PushOutcome
    /// The decision about the change. `dropped` if the remote did not execute it.
    package let decision: Settlement

    /// Whether the gateway has learned from the answer why the remote did not execute the change, and may make it anew.
    fileprivate var mayBeMadeAnew: Bool {
        guard decision == .dropped else { return false }
        switch outcome {
        case .conflict: return true
        case .refused(let code, _):
            return entry.step.kind == .create && code == ParseError.Code.invalidFieldName.rawValue
        default: return false
        }
    }
}
