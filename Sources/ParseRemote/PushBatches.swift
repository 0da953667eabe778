import ParseModel
import RemoteService

/// Sends operations in batches. The server executes the operations of a batch concurrently, and also the batches. A
/// batch that the server refuses for its size is sent again in smaller parts. Later batches have the smaller size.
struct PushBatches: Sendable {
    let exchange: ParseExchange

    /// Sends the operations. If the server refuses an operation because of the URL of a file, sends the operation again
    /// without the URL.
    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        var outcomes = await pushOnce(operations)
        let places = operations.indices.filter { outcomes[$0].isRefusalOfFile }
        let plain = places.compactMap { place in operations[place].withoutInnerFileURLs.map { (place, $0) } }
        guard !plain.isEmpty else { return outcomes }
        for ((place, _), outcome) in zip(plain, await pushOnce(plain.map(\.1))) { outcomes[place] = outcome }
        return outcomes
    }

    private func pushOnce(_ operations: [PushOperation]) async -> [PushOutcome] {
        let batches = parts(of: operations)
        guard batches.count > 1 else { return await send(operations) }
        return await withTaskGroup(of: (Int, [PushOutcome]).self) { group in
            for (place, batch) in batches.enumerated() { group.addTask { (place, await send(batch)) } }
            var outcomes: [[PushOutcome]] = Array(repeating: [], count: batches.count)
            for await (place, answers) in group { outcomes[place] = answers }
            return outcomes.flatMap { $0 }
        }
    }

    private func send(_ batch: [PushOperation]) async -> [PushOutcome] {
        guard batch.count > 1 else {
            guard let operation = batch.first else { return [] }
            let outcome = await exchange.pushAlone(operation)
            if outcome.isAnswer { exchange.batchLimit.change { $0.noteAccepted(count: 1, bytes: nil) } }
            return [outcome]
        }
        if let outcomes = await pushBatch(batch) { return outcomes }
        // The server has refused the batch for its size, and has executed nothing.
        var halves = parts(of: batch)
        if halves.count == 1 { halves = batch.chunks(of: (batch.count + 1) / 2).map(Array.init) }
        var outcomes: [PushOutcome] = []
        for half in halves { outcomes += await send(half) }
        return outcomes
    }

    /// Sends several operations as one batch, which the server executes concurrently.
    /// - Returns: nil if the server has refused the batch for its size. The batch limit is then smaller.
    private func pushBatch(_ operations: [PushOperation]) async -> [PushOutcome]? {
        do {
            let items = operations.map(exchange.requests.item)
            let response = try await exchange.send(exchange.requests.batch(items, isRepeatable: false))
            switch exchange.reader.readBatch(response, count: operations.count) {
            case .success(let answers):
                noteAccepted(operations)
                return zip(operations, answers).map { PushOutcome($1, of: $0) }
            case .failure(let failure):
                switch failure.refusalOfBatch {
                case .count(let named?):
                    await exchange.batchLimit.noteRefusal(ofCount: operations.count, named: named)
                    return nil
                case .count(nil):
                    if await isTooMany(operations) { return nil }
                    return operations.map { _ in PushOutcome(ofWholeBatch: failure) }
                case .bytes:
                    let bytes = operations.reduce(0) { $0 + exchange.requests.itemBytes($1) }
                    exchange.batchLimit.change { $0.noteRefusal(ofBytes: bytes) }
                    return nil
                case nil: return operations.map { _ in PushOutcome(ofWholeBatch: failure) }
                }
            }
        } catch {
            return operations.map { _ in exchange.reader.cleaner.pushOutcome(of: error) }
        }
    }

    /// Whether the server refuses batches of this size. Called if its refusal has named no limit. Sends a batch with
    /// the same number of reads: if the server refuses these reads too, it has refused the operations because of their
    /// number, and has executed none. The batch limit is then smaller.
    private func isTooMany(_ operations: [PushOperation]) async -> Bool {
        let read = ListQuery(className: operations[0].className, keys: "objectId", limit: 0)
        let items = operations.map { _ in exchange.requests.item(read) }
        guard let response = try? await exchange.response(to: exchange.requests.batch(items, isRepeatable: true)),
            case .failure(let failure) = exchange.reader.readBatch(response, count: operations.count),
            case .count(let named) = failure.refusalOfBatch
        else { return false }
        await exchange.batchLimit.noteRefusal(ofCount: operations.count, named: named)
        return true
    }

    /// Divides operations into batches that the server may accept.
    private func parts(of operations: [PushOperation]) -> [[PushOperation]] {
        let limit = exchange.batchLimit.current
        // Computing the sizes takes time, so they are computed only after the server has refused a body for its size.
        let sizes = operations.map { limit.bytes == nil ? 0 : exchange.requests.itemBytes($0) }
        return limit.batches(of: sizes).map { Array(operations[$0]) }
    }

    private func noteAccepted(_ operations: [PushOperation]) {
        let limit = exchange.batchLimit.current
        guard limit.count < exchange.configuration.batchMax || limit.bytes != nil else { return }
        let bytes = limit.bytes == nil ? nil : operations.reduce(0) { $0 + exchange.requests.itemBytes($1) }
        exchange.batchLimit.change { $0.noteAccepted(count: operations.count, bytes: bytes) }
    }
}

extension PushOutcome {
    /// Whether the remote has refused a file or its URL.
    fileprivate var isRefusalOfFile: Bool {
        if case .refused(ParseError.Code.fileSaveError.rawValue, _) = self { true } else { false }
    }
}
