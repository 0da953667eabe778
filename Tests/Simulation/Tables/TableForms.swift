import ParseModel
import TablesServer

/// The forms of requests that `DatasyncRemote` may send. They are a small part of the protocol, which all known servers
/// understand in the same way. If `DatasyncRemote` sends a new form of request, the form must be added here.
struct TableForms {
    let dialect: TablesServer.Dialect

    /// The statuses of the answers that known forms get.
    private static let statuses: Set<Int> = [200, 201, 204, 404, 409, 410, 412]

    /// The part of a request that has no known form; nil if all parts are known.
    /// - Parameter status: the status of the answer.
    func unknownPart(of request: TablesRequest, answeredWith status: Int) -> String? {
        guard Self.statuses.contains(status) else { return "answered with status \(status)" }
        if ["GET /", "GET /swagger"].contains("\(request.method) \(request.target)") { return nil }
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard 3...4 ~= path.count, path[1] == "tables", TableColumns.classes.contains(String(path[2])),
            isMethod(request.method, forRow: path.count == 4), path.last?.isEmpty == false
        else { return "the method or the path" }
        if let condition = request.headers["if-match"], condition.wholeMatch(of: /"[^"]+"/) == nil { return "If-Match" }
        if let option = request.parameters.first(where: { !isOption($0.key, $0.value.string ?? "") }) {
            return "\(option.key)=\(option.value.jsonText)"
        }
        return request.body.isEmpty && (path.count == 4 || request.method == "GET") ? nil : unknownPart(ofBody: request)
    }

    private func isMethod(_ method: String, forRow isForRow: Bool) -> Bool {
        switch method {
        case "GET": true
        case "POST": !isForRow || dialect == .azure
        case "PATCH": isForRow && dialect == .azure
        case "PUT": isForRow && dialect == .community
        default: isForRow && method == "DELETE"
        }
    }

    /// Whether a parameter of a request is known. `$skip` is allowed for the deliberate bug `pagesSkipped`.
    private func isOption(_ name: String, _ text: String) -> Bool {
        switch name {
        case "$filter": TablesServer.isPortable(text, dialect)
        case "$orderby": ["id", "updatedAt,id"].contains(text)
        case "$select": !text.isEmpty
        case "$top", "$skip": Int(text).map { $0 >= 0 } ?? false
        case "$inlinecount": dialect == .azure && text == "allpages"
        case "$count": dialect == .community && text == "true"
        default: name == "__includeDeleted" && text == "true"
        }
    }

    private func unknownPart(ofBody request: TablesRequest) -> String? {
        guard request.headers["content-type"] == "application/json",
            let body = (try? JSONReader.read(request.body))?.object
        else { return "a body that is no JSON object" }
        let isInsert = request.method == "POST"
        var names = TableColumns.names + [TableColumns.unknown]
        if isInsert || dialect == .community { names.append("id") }
        if !isInsert, dialect == .community { names += ["createdAt", "updatedAt", "version", "deleted"] }
        if let (name, value) = body.first(where: {
            !names.contains($0.key) || $0.value.array != nil || $0.value.object != nil
        }) {
            return "\(name): \(value.jsonText)"
        }
        if isInsert, body["id"]?.string?.isEmpty != false || request.headers["if-match"] != nil {
            return "an insert without an id, or with a version"
        }
        return body["deleted"] == true ? "an update that deletes" : nil
    }
}
