import HTTPClient
import HTTPTypes
import ParseModel
import StoreService

/// The parts of the writes that both dialects share.
protocol TableWrites: Sendable {
    var tables: SimulatedTables { get }
    var call: TableCall { get }
    var execute: SimulatedTables.Execute { get }
}

extension TableWrites {
    func row(_ pointer: Pointer) -> TableRows.Row? { tables.rows.withLock { $0[pointer] } }

    /// An answer with the current row.
    func answer(_ status: Int, _ pointer: Pointer) -> HTTPClientResponse {
        row(pointer).map { tables.answer(status, $0) } ?? .absent
    }

    /// Inserts a row with a name, or makes a tombstone a live row.
    func create(_ pointer: Pointer, _ columns: JSONObject, unknown: JSONValue) async throws(UnknownForm) {
        var body: JSONObject = ["objectId": .string(pointer.objectId)]
        for name in TableColumns.names {
            guard let value = columns[name], !value.isNull else { continue }
            body[name] = TableColumns.field(value, of: name)
        }
        try await perform(.create(className: pointer.className, body: body), on: pointer)
        setUnknown(unknown, of: pointer)
    }

    /// Sets columns of a live row. A null clears its column. A write that changes no value still changes the version.
    func update(_ pointer: Pointer, _ columns: JSONObject) async throws(UnknownForm) {
        let before = row(pointer)?.columns["n"]
        var body: JSONObject = [:]
        for name in TableColumns.names {
            guard let value = columns[name] else { continue }
            body[name] = value.isNull ? ["__op": "Delete"] : TableColumns.field(value, of: name)
        }
        try await perform(
            .update(className: pointer.className, objectId: pointer.objectId, body: body), on: pointer)
        if row(pointer)?.columns["n"] != before {
            tables.increments.withLock { $0.noteExecuted(of: call.party, pointer.objectId) }
        }
    }

    func delete(_ pointer: Pointer) async throws(UnknownForm) {
        try await perform(.delete(className: pointer.className, objectId: pointer.objectId), on: pointer)
    }

    private func perform(_ request: WriteRequest, on pointer: Pointer) async throws(UnknownForm) {
        let before = row(pointer)?.version
        guard await execute(request), row(pointer)?.version != before || before == nil else {
            throw UnknownForm(text: "a write of \(pointer.objectId) that the simulated server does not execute")
        }
    }

    /// Sets the column that no replica knows. A replica that changes this column loses a value of the server's users.
    func setUnknown(_ value: JSONValue, of pointer: Pointer) {
        let before = row(pointer)?.unknown ?? .null
        guard value != before else { return }
        tables.addFinding(
            "\(call.party) changed the column \(TableColumns.unknown) of \(pointer.objectId) from \(before.jsonText) "
                + "to \(value.jsonText)")
        tables.rows.withLock { $0.setUnknown(value, of: pointer) }
    }

    /// The id of a row to insert.
    func newId(in body: JSONObject) throws(UnknownForm) -> String {
        guard call.version == nil, body["version"] == nil, let id = body["id"]?.string, !id.isEmpty else {
            throw UnknownForm(text: "an insert without an id, or with a version")
        }
        return id
    }
}

/// The writes of Azure Mobile Apps.
struct AzureWrites: TableWrites {
    let tables: SimulatedTables
    let call: TableCall
    let execute: SimulatedTables.Execute

    func answer(_ pointer: Pointer?, _ className: String) async throws(UnknownForm) -> HTTPClientResponse {
        switch (call.request.method, pointer) {
        case (.post, nil): try await insert(into: className)
        case (.post, let pointer?): try await undelete(pointer)
        case (.patch, let pointer?): try await patch(pointer)
        case (.delete, let pointer?): try await delete(row: pointer)
        default: throw UnknownForm(text: call.request.url)
        }
    }

    private func insert(into className: String) async throws(UnknownForm) -> HTTPClientResponse {
        let body = try checkedBody()
        let pointer = Pointer(className: className, objectId: try newId(in: body))
        // The answer echoes the client's row, also if the id belongs to a tombstone.
        if row(pointer) != nil { return .json(409, .object(body)) }
        try await create(pointer, body, unknown: body[TableColumns.unknown] ?? .null)
        return answer(201, pointer)
    }

    private func patch(_ pointer: Pointer) async throws(UnknownForm) -> HTTPClientResponse {
        let body = try checkedBody()
        guard !body.isEmpty, body["id"] == nil else { throw UnknownForm(text: "a PATCH of no column, or of the id") }
        guard let row = row(pointer) else { return .absent }
        if let version = call.version, version != row.version { return tables.answer(412, row) }
        if row.isDeleted {
            // A tombstone stays a tombstone.
            tables.rows.withLock { rows in
                rows.change(pointer, at: call.now) { row in
                    for (name, value) in body where TableColumns.names.contains(name) {
                        row.columns[name] = value.isNull ? nil : value
                    }
                }
            }
        } else {
            try await update(pointer, body)
        }
        if let value = body[TableColumns.unknown] { setUnknown(value, of: pointer) }
        return answer(200, pointer)
    }

    private func undelete(_ pointer: Pointer) async throws(UnknownForm) -> HTTPClientResponse {
        guard let row = row(pointer) else { return .absent }
        if let version = call.version, version != row.version { return tables.answer(412, row) }
        if row.isDeleted {
            try await create(pointer, row.columns, unknown: row.unknown)
        } else {
            try await update(pointer, ["title": row.columns["title"] ?? .null])
        }
        return answer(201, pointer)
    }

    private func delete(row pointer: Pointer) async throws(UnknownForm) -> HTTPClientResponse {
        guard let row = row(pointer) else { return .absent }
        if let version = call.version, row.isDeleted || version != row.version { return tables.answer(412, row) }
        if row.isDeleted { return tables.answer(409, row) }
        try await delete(pointer)
        return tables.settings.keepsTombstones ? answer(200, pointer) : tables.answer(200, row)
    }

    /// - Throws: `UnknownForm` for a body with a name that the protocol reserves, and for a body that is too long.
    private func checkedBody() throws(UnknownForm) -> JSONObject {
        let body = try call.body()
        guard !body.keys.contains(where: { $0 != "id" && TableColumns.reserved.contains($0) }),
            call.request.wholeBody.count <= 102_400
        else { throw UnknownForm(text: "a reserved column, or a long body") }
        return body
    }
}

/// The writes of Community Datasync.
struct CommunityWrites: TableWrites {
    let tables: SimulatedTables
    let call: TableCall
    let execute: SimulatedTables.Execute

    func answer(_ pointer: Pointer?, _ className: String) async throws(UnknownForm) -> HTTPClientResponse {
        switch (call.request.method, pointer) {
        case (.post, nil): try await insert(into: className)
        case (.put, let pointer?): try await replace(pointer)
        case (.delete, let pointer?): try await delete(row: pointer)
        default: throw UnknownForm(text: call.request.url)
        }
    }

    private func insert(into className: String) async throws(UnknownForm) -> HTTPClientResponse {
        let body = try call.body()
        let pointer = Pointer(className: className, objectId: try newId(in: body))
        guard body["deleted"] == nil else { throw UnknownForm(text: "an insert of a deleted row") }
        if let row = row(pointer) { return tables.answer(409, row) }
        try await create(pointer, body, unknown: body[TableColumns.unknown] ?? .null)
        return answer(201, pointer)
    }

    /// Replaces the row. A column that is absent in the body becomes null.
    private func replace(_ pointer: Pointer) async throws(UnknownForm) -> HTTPClientResponse {
        var body = try call.body()
        guard body["id"]?.string == pointer.objectId else { throw UnknownForm(text: "a PUT without the id") }
        guard let row = row(pointer) else { return .empty(404) }
        if row.isDeleted, !call.includesDeleted { return .empty(410) }
        if let version = call.version, version != row.version { return tables.answer(412, row) }
        if body["deleted"] == true { throw UnknownForm(text: "a PUT that deletes") }
        for name in TableColumns.names where body[name] == nil { body[name] = .null }
        if row.isDeleted {
            try await create(pointer, body, unknown: row.unknown)
        } else {
            try await update(pointer, body)
        }
        setUnknown(body[TableColumns.unknown] ?? .null, of: pointer)
        return answer(200, pointer)
    }

    private func delete(row pointer: Pointer) async throws(UnknownForm) -> HTTPClientResponse {
        guard let row = row(pointer) else { return .empty(404) }
        if row.isDeleted { return .empty(410) }
        if let version = call.version, version != row.version { return tables.answer(412, row) }
        try await delete(pointer)
        return .empty(204)
    }
}
