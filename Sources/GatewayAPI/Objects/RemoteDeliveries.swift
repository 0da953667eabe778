import HTTPTypes
import HeaderNames
import ParseModel
import StoreService

/// Performs writes of a replica's clients that ask for the remote.
struct RemoteDeliveries: Sendable {
    /// A write that was performed as its client prefers.
    struct Delivered: Sendable {
        /// The receipt, with the remote's id and values if the remote has taken the write.
        let receipt: WriteReceipt
        let state: RemoteState
    }

    let delivery: any WriteDelivery
    let store: any ObjectStore
    let waits: RemoteWaits

    /// Performs writes and waits until the remote has taken them. If too many requests wait for the remote, the writes are
    /// performed and do not wait.
    func confirm(
        _ writes: [WriteRequest], as principal: Principal, within time: Duration,
        _ perform: @Sendable () async -> [Result<WriteReceipt, any Error>]
    ) async -> [Result<Delivered, any Error>] {
        let confirmed = await waits.holdIfThereIsRoom {
            await delivery.confirm(writes, by: principal, within: time, perform)
        }
        guard let confirmed else {
            return await perform().map { $0.map { Delivered(receipt: $0, state: .queued) } }
        }
        return zip(writes, confirmed).map { write, result in
            result.flatMap { confirmed in
                switch confirmed.fate {
                case .waiting: .success(Delivered(receipt: confirmed.receipt, state: .queued))
                case .taken(let taken): .success(delivered(write, confirmed.receipt, taken, to: principal))
                case .notTaken(let write): .failure(APIError.notTaken(write))
                }
            }
        }
    }

    /// Sends a write to the remote or nowhere.
    /// - Throws: the errors of `WriteDelivery.sendOnly`; `APIError.busy` if too many requests wait for the remote.
    func sendOnly(
        _ write: WriteRequest, as principal: Principal, _ headers: HTTPFields, within time: Duration
    ) async throws -> Delivered {
        let ignoresQueue = headers[.tidegateForward] == "now"
        let (receipt, taken) = try await waits.hold {
            try await delivery.sendOnly(
                write, naming: CallNames.things(in: write), by: principal, ignoresQueue: ignoresQueue, within: time)
        }
        return delivered(write, receipt, taken, to: principal)
    }

    private func delivered(
        _ write: WriteRequest, _ receipt: WriteReceipt, _ taken: TakenWrite, to principal: Principal
    ) -> Delivered {
        var mark = receipt.mark
        if mark != nil, let object = try? store.object(write.className, taken.objectId, as: principal) {
            mark = (try? store.mark(write.className, object, as: principal)) ?? mark
        }
        return Delivered(receipt: taken.applied(to: receipt, mark: mark), state: .synced)
    }
}
