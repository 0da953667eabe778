import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// Sends writes. Each write names the version of the last known remote row (`If-Match`), so that it does not overwrite
/// an edit of another client.
struct TableWriter: Sendable {
    private let exchange: TableExchange
    private let reads: TableReads

    init(_ exchange: TableExchange) {
        self.exchange = exchange
        reads = TableReads(exchange)
    }

    private var requests: TableRequests { exchange.requests }

    /// Sends the operations at the same time, each as a single request.
    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        await withTaskGroup(of: (Int, PushOutcome).self) { group in
            for (place, operation) in operations.enumerated() {
                group.addTask { (place, await push(operation)) }
            }
            var outcomes = operations.map { _ in PushOutcome.retry(after: nil, reason: "not sent") }
            for await (place, outcome) in group { outcomes[place] = outcome }
            return outcomes
        }
    }

    private func push(_ operation: PushOperation) async -> PushOutcome {
        do throws(TableWriteError) {
            let table: Table
            do {
                table = try await exchange.table(of: operation.className)
            } catch {
                throw .notSent(error)
            }
            switch operation.kind {
            case .create: return try await insert(operation, into: table)
            case .update:
                return try await table.rules.replacesRows
                    ? replace(operation, in: table) : patch(operation, in: table)
            case .delete: return try await delete(operation, in: table)
            case .undelete:
                return try await table.rules.replacesRows
                    ? undeleteByReplacing(operation, in: table) : undeleteByPatching(operation, in: table)
            }
        } catch {
            return error.outcome
        }
    }

    // MARK: Create

    private func insert(_ operation: PushOperation, into table: Table) async throws(TableWriteError) -> PushOutcome {
        var body = try columns(of: operation, in: table).filterNulls()
        if operation.sendsObjectId { body["id"] = .string(operation.objectId) }
        try checkSize(body, table)
        // The server refuses a second insert with the same id as a duplicate, so a named insert may be repeated.
        let answer = try await answer(
            to: requests.insert(body, into: table.path, isRepeatable: operation.sendsObjectId))
        switch answer {
        case .success(let row?): return try applied(row, operation, table)
        case .conflict: return .duplicate(message: "The id, or the value of a unique column, is already taken.")
        default: return try await outcome(of: answer, operation, table)
        }
    }

    // MARK: Update

    /// Updates only the columns that have changed.
    private func patch(_ operation: PushOperation, in table: Table) async throws(TableWriteError) -> PushOutcome {
        var fields = operation.merged ?? [:]
        var version = operation.base?.version
        if operation.dependsOnUnknownFields {
            guard let row = try await current(operation.objectId, of: table), !row.isDeleted else {
                return .gone(message: "The row does not exist.")
            }
            if let version, version != row.version { return .conflict(row) }
            version = row.version
            fields = try self.fields(after: operation, on: row.fields)
        }
        let body = try columns(operation.operations.fields, of: fields, in: table)
        try checkSize(body, table)
        guard !body.isEmpty else { return try await unchanged(operation, in: table) }
        let answer = try await answer(
            to: requests.write(
                .patch, operation.objectId, of: table.path, body: body, version: version,
                isRepeatable: operation.operations.isIdempotent && version != nil))
        switch answer {
        case .success(let row?):
            // A PATCH without a version also changes a tombstone, and the row stays deleted.
            if row.object?["deleted"] == true { return .gone(message: "The row is deleted.") }
            return try applied(row, operation, table)
        case .conflict(let row): return conflict(operation, with: try record(row, table))
        default: return try await outcome(of: answer, operation, table)
        }
    }

    /// The outcome of an update that the server refuses because of its current row. If this row has the version that
    /// the update names, the reason is another row with the same value of a unique column.
    private func conflict(_ operation: PushOperation, with row: RemoteRecord?) -> PushOutcome {
        guard let row, let version = row.version, version == operation.base?.version else { return .conflict(row) }
        return .duplicate(message: "The value of a unique column is already taken.")
    }

    /// The outcome of an update that changes no column, so that nothing is sent.
    private func unchanged(_ operation: PushOperation, in table: Table) async throws(TableWriteError) -> PushOutcome {
        guard let row = try await current(operation.objectId, of: table), !row.isDeleted else {
            return .gone(message: "The row does not exist.")
        }
        return .applied(Acknowledgement(row, of: operation))
    }

    /// The current row or tombstone of an object; nil if there is neither.
    private func current(_ id: String, of table: Table) async throws(TableWriteError) -> RemoteRecord? {
        do {
            return try await reads.fetch(table.className, objectIds: [id]).first
        } catch {
            throw .notSent(error)
        }
    }

    /// Replaces the whole row. Reads the row first, so that the request contains all of its columns, also those that
    /// are no fields of a Parse object.
    private func replace(_ operation: PushOperation, in table: Table) async throws(TableWriteError) -> PushOutcome {
        guard let current = try await completeRow(operation.objectId, of: table), current["deleted"] != true else {
            return .gone(message: "The row does not exist.")
        }
        let fields = try fields(after: operation, on: table.values.fields(of: current))
        let changes = try columns(operation.operations.fields, of: fields, in: table)
        return try await replace(current, with: changes, operation, in: table)
    }

    /// Replaces the whole row by its columns with some changes.
    /// - Parameter current: all columns of the row to replace.
    private func replace(
        _ current: JSONObject, with changes: JSONObject, _ operation: PushOperation, in table: Table
    ) async throws(TableWriteError) -> PushOutcome {
        guard let version = current["version"]?.string else {
            throw .outcome(.unknown(reason: "the row of \(table.className) has no version"))
        }
        if operation.kind == .update, let expected = operation.base?.version, expected != version {
            return .conflict(try record(current, table))
        }
        var body = current
        // A column that is absent from the body gets its default value. A null is left out, because some columns accept
        // no null.
        for (name, value) in changes { body[name] = value.isNull ? nil : value }
        if operation.kind == .undelete { body["deleted"] = false }
        try checkSize(body, table)
        let answer = try await answer(
            to: requests.write(
                .put, operation.objectId, of: table.path, body: body, version: version,
                includesDeleted: operation.kind == .undelete,
                isRepeatable: operation.operations.isIdempotent))
        switch answer {
        case .success(let row?): return try applied(row, operation, table)
        case .conflict(let row): return conflict(operation, with: try record(row, table))
        default: return try await outcome(of: answer, operation, table)
        }
    }

    /// The row or tombstone with all its columns, as the server sent it; nil if there is neither.
    private func completeRow(_ id: String, of table: Table) async throws(TableWriteError) -> JSONObject? {
        switch try await answer(toRead: requests.row(id, of: table.path)) {
        case .success(let row?): return row.object
        case .absent(_, isCertain: true): return nil
        case .absent(_, isCertain: false):
            // Either the row or the whole table does not exist. A list of the table shows which of them.
            guard try await current(id, of: table) == nil else {
                throw .outcome(.unknown(reason: "the row is listed, but cannot be read by its id"))
            }
            return nil
        case .failure(let failure): throw .notSent(failure.remoteError)
        case .success(nil), .conflict: throw .notSent(.faulty(status: 200, reason: "the answer is not a row"))
        }
    }

    // MARK: Delete

    private func delete(_ operation: PushOperation, in table: Table) async throws(TableWriteError) -> PushOutcome {
        let done = PushOutcome.applied(
            Acknowledgement(objectId: operation.objectId, createdAt: nil, updatedAt: nil, echoed: [:]))
        let answer = try await answer(
            to: requests.write(
                .delete, operation.objectId, of: table.path, version: operation.base?.version, isRepeatable: true))
        switch answer {
        case .success(nil):
            await searchForTombstone(operation.objectId, in: table)
            return done
        case .success(let row?):
            guard row.object?["id"]?.string == operation.objectId else {
                return .unknown(reason: "the answer to the delete is not the row")
            }
            if row.object?["deleted"] == true { exchange.knowledge.noteTombstone(table.className) }
            return done
        case .conflict(let row):
            let current = try record(row, table)
            return current?.isDeleted == true ? .gone(message: "The row is deleted already.") : .conflict(current)
        default: return try await outcome(of: answer, operation, table)
        }
    }

    /// Searches for a tombstone after a deletion without a row in its answer. A failure is ignored, because a later
    /// pull shows the tombstone.
    private func searchForTombstone(_ id: String, in table: Table) async {
        guard !exchange.knowledge.keepsTombstones(table.className),
            case .success(let row?) = try? exchange.reader.read(
                await exchange.response(to: requests.row(id, of: table.path)))
        else { return }
        if row.object?["deleted"] == true { exchange.knowledge.noteTombstone(table.className) }
    }

    // MARK: Undelete

    /// Updates the columns of the tombstone, and then undeletes it. The second request ignores its body. If the process
    /// is interrupted between the two, a tombstone remains, and no row with the values of the deleted object.
    private func undeleteByPatching(
        _ operation: PushOperation, in table: Table
    ) async throws(TableWriteError) -> PushOutcome {
        var body = try columns(of: operation, in: table)
        let tombstone = try await current(operation.objectId, of: table)
        // A server can remove its tombstones. The object is then inserted again.
        guard let tombstone else { return try await insert(operation, into: table) }
        guard tombstone.isDeleted else { return .conflict(tombstone) }
        // The remaining columns still have the values of the deleted object, so they are set to null.
        for name in tombstone.fields.keys where body[name] == nil { body[name] = .null }
        try checkSize(body, table)
        var version = tombstone.version
        if !body.isEmpty {
            let update = try await answer(
                to: requests.write(
                    .patch, operation.objectId, of: table.path, body: body, version: version, isRepeatable: true))
            switch update {
            case .success(let row?): version = try record(row, table).version
            case .conflict(let row): return .conflict(try record(row, table))
            default: return try await outcome(of: update, operation, table)
            }
        }
        let answer = try await answer(
            to: requests.write(.post, operation.objectId, of: table.path, version: version, isRepeatable: false))
        switch answer {
        case .success(let row?): return try applied(row, operation, table)
        case .conflict(let row): return .conflict(try record(row, table))
        default: return try await outcome(of: answer, operation, table)
        }
    }

    /// Replaces the tombstone by a row that is not deleted, in one request.
    private func undeleteByReplacing(
        _ operation: PushOperation, in table: Table
    ) async throws(TableWriteError) -> PushOutcome {
        var body = try columns(of: operation, in: table)
        guard let tombstone = try await completeRow(operation.objectId, of: table) else {
            return try await insert(operation, into: table)
        }
        guard tombstone["deleted"] == true else { return .conflict(try record(tombstone, table)) }
        for name in tombstone.keys where Columns.isField(name) && body[name] == nil { body[name] = .null }
        return try await replace(tombstone, with: body, operation, in: table)
    }

    // MARK: Bodies and answers

    /// All columns that the object has after the operation.
    private func columns(of operation: PushOperation, in table: Table) throws(TableWriteError) -> JSONObject {
        let fields = operation.merged ?? [:]
        return try columns(fields.keys, of: fields, in: table)
    }

    /// The fields that the row has after the update.
    private func fields(after operation: PushOperation, on row: JSONObject) throws(TableWriteError) -> JSONObject {
        do {
            return try operation.operations.apply(to: row, className: operation.className)
        } catch {
            throw .outcome(.refused(code: error.code.rawValue, message: error.message))
        }
    }

    /// The columns with these names, with the values in `fields`. A column without a value in `fields` is null.
    private func columns(
        _ names: [String], of fields: JSONObject, in table: Table
    ) throws(TableWriteError) -> JSONObject {
        var body = JSONObject()
        for name in names {
            do {
                body[name] = try table.values.column(fields[name] ?? .null, of: name)
            } catch {
                throw .outcome(.refused(code: error.code.rawValue, message: error.message))
            }
        }
        return body
    }

    private func checkSize(_ body: JSONObject, _ table: Table) throws(TableWriteError) {
        guard let max = table.rules.bodyBytesMax else { return }
        let size = body.jsonBytes.count
        guard size > max else { return }
        let error = ParseError.tooLarge(size, max: max)
        throw .outcome(.refused(code: error.code.rawValue, message: error.message))
    }

    private func answer(to request: HTTPClientRequest) async throws(TableWriteError) -> TableAnswer {
        do {
            return exchange.reader.read(try await exchange.send(request))
        } catch {
            throw .outcome(exchange.reader.cleaner.pushOutcome(of: error))
        }
    }

    private func answer(toRead request: HTTPClientRequest) async throws(TableWriteError) -> TableAnswer {
        do {
            return exchange.reader.read(try await exchange.response(to: request))
        } catch {
            throw .notSent(error)
        }
    }

    private func applied(
        _ row: JSONValue, _ operation: PushOperation, _ table: Table
    ) throws(TableWriteError) -> PushOutcome {
        do {
            return .applied(Acknowledgement(try exchange.record(row, of: table), of: operation))
        } catch {
            throw .outcome(.unknown(reason: error.description))
        }
    }

    private func record(_ row: JSONObject?, _ table: Table) throws(TableWriteError) -> RemoteRecord? {
        guard let row, row["id"] != nil, row["updatedAt"] != nil else { return nil }
        return try record(JSONValue.object(row), table)
    }

    private func record(_ row: JSONValue, _ table: Table) throws(TableWriteError) -> RemoteRecord {
        do {
            return try exchange.record(row, of: table)
        } catch {
            throw .outcome(.unknown(reason: error.description))
        }
    }

    /// The outcome of an answer that means the same for every kind of operation.
    private func outcome(
        of answer: TableAnswer, _ operation: PushOperation, _ table: Table
    ) async throws(TableWriteError) -> PushOutcome {
        switch answer {
        case .success: return .unknown(reason: "the answer to the \(operation.kind.rawValue) has no row")
        case .conflict: return .conflict(nil)
        case .absent(let message, isCertain: true): return .gone(message: message)
        case .absent(let message, isCertain: false):
            // Either the row or the whole table does not exist. A list of the table shows which of them.
            guard let row = try await current(operation.objectId, of: table) else { return .gone(message: message) }
            return .conflict(row)
        case .failure(let failure): return failure.pushOutcome
        }
    }
}

extension Acknowledgement {
    /// The acknowledgement of a write. A tables server answers each write with the whole row.
    fileprivate init(_ row: RemoteRecord, of operation: PushOperation) {
        self.init(
            objectId: row.objectId, createdAt: operation.kind == .update ? nil : row.createdAt,
            updatedAt: row.updatedAt,
            echoed: row.fields, version: row.version)
    }
}

extension PushOperation {
    /// Whether the result of an operation depends on a field that is not known locally, for example because the `keys`
    /// of a pull leave it out.
    fileprivate var dependsOnUnknownFields: Bool {
        operations.fields.contains { field in
            operations[field]?.isIdempotent == false && base?.fields[field] == nil
        }
    }
}

extension JSONObject {
    /// The members that are not null. In a new row, all other columns are null.
    fileprivate func filterNulls() -> JSONObject { JSONObject(filter { !$0.value.isNull }.map { ($0.key, $0.value) }) }
}
