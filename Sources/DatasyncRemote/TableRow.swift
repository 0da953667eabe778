import ParseModel
import RemoteService
import SyncModel

extension RemoteRecord {
    /// Reads a row of an answer.
    /// - Throws: `RemoteError` if the row lacks an id or the time of its last change. Also if the id is a number: such
    ///   a table chooses the ids of its rows itself.
    init(_ row: JSONValue, of className: String, _ values: TableValues) throws(RemoteError) {
        guard let columns = row.object else { throw .incompleteRow(of: className) }
        self.init(
            className: className, objectId: try columns.rowId(of: className),
            createdAt: try columns.creationTime(of: className),
            updatedAt: try columns.changeTime(of: className), fields: values.fields(of: columns),
            version: columns["version"]?.string, isDeleted: columns["deleted"] == true)
        hasCreationTime = columns["createdAt"]?.string != nil
    }
}

extension ObjectStamp {
    init(_ row: JSONValue, of className: String) throws(RemoteError) {
        guard let columns = row.object else { throw .incompleteRow(of: className) }
        self.init(
            objectId: try columns.rowId(of: className), updatedAt: try columns.changeTime(of: className))
    }
}

extension JSONObject {
    /// The maximum length of an id in bytes, as in a Parse Server.
    private static let idBytesMax = 2048

    fileprivate func rowId(of className: String) throws(RemoteError) -> String {
        if self["id"]?.number != nil {
            throw .refused(
                code: ParseError.Code.operationForbidden.rawValue,
                message: "The table of \(className) numbers its own rows; only tables with text ids can be synced.")
        }
        guard let id = self["id"]?.string, 1...Self.idBytesMax ~= id.utf8.count else {
            throw .incompleteRow(of: className)
        }
        return id
    }

    fileprivate func changeTime(of className: String) throws(RemoteError) -> ParseDate {
        guard let time = self["updatedAt"]?.string.flatMap({ ParseDate(iso: $0) }) else {
            throw .incompleteRow(of: className)
        }
        return time
    }

    /// The creation time of the row. Community Datasync stores none, so the time of the last change replaces it.
    fileprivate func creationTime(of className: String) throws(RemoteError) -> ParseDate {
        if let time = self["createdAt"]?.string.flatMap({ ParseDate(iso: $0) }) { return time }
        return try changeTime(of: className)
    }
}

extension RemoteError {
    fileprivate static func incompleteRow(of className: String) -> RemoteError {
        .faulty(status: 200, reason: "a row of \(className) lacks its id or updatedAt, or its id is too long")
    }
}
