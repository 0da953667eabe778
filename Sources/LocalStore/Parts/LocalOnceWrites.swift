import ParseModel
import StoreService
import SyncModel

/// Stores the changes of clients that go to the remote at once or nowhere.
struct LocalOnceWrites: OnceWriteStore {
    let transactions: Transactions

    func begin(
        _ write: WriteRequest, as principal: Principal, at serverTime: ParseDate,
        marked: @escaping @Sendable (OutboxEntry) -> OutboxEntry
    ) async throws -> BegunWrite {
        let prepared = PreparedWrite(write, fieldsMax: transactions.configuration.classFieldsMax)
        return try await transactions.write(as: principal, isLocal: true) { transaction in
            let receipt = try LocalWrites(transaction, OnceWrites.self).perform(prepared)
            let entry = try SentSteps(transaction: transaction).freezeNew(
                Pointer(className: write.className, objectId: receipt.objectId), at: serverTime, marked)
            return BegunWrite(entry: entry, receipt: receipt)
        }
    }
}
