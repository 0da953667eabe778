import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel

/// A request to the simulated tables server: its table, its row, its parameters and its condition.
struct TableCall: Sendable {
    let request: HTTPClientRequest
    let party: String
    /// The time of the changes that the request makes.
    let now: ParseDate
    /// The class of the table; nil for the root of the server, and for the description of the tables.
    let className: String?
    /// Whether the request asks for the description of the tables, which the server does not have.
    let isDescription: Bool
    /// The id of the row; nil for the whole table.
    let id: String?
    let parameters: [String: String]
    /// The version that the row must have; nil for an unconditional request.
    let version: String?

    /// - Throws: `UnknownForm` for an unknown path, and for an `If-Match` that is no single quoted version.
    init(
        _ request: HTTPClientRequest, _ dialect: TablesSettings.Dialect, party: String, now: ParseDate
    ) throws(UnknownForm) {
        self.request = request
        self.party = party
        self.now = now
        let target = request.url.dropFirst(TablesSettings.url.count)
        let path = target.prefix { $0 != "?" }
        let query = target.drop { $0 != "?" }.dropFirst()
        var parameters: [String: String] = [:]
        for (name, value) in PercentCoding.parameters(ofQuery: Array(query.utf8)) {
            guard let text = value.string else { throw UnknownForm(text: "several parameters \(name)") }
            parameters[name] = text
        }
        self.parameters = parameters
        var version = request.headers[.ifMatch]
        if let condition = version {
            let inner = condition.dropFirst().dropLast()
            guard condition.hasPrefix("\""), condition.hasSuffix("\""), !inner.isEmpty, !inner.contains("\"") else {
                throw UnknownForm(text: "If-Match: \(condition)")
            }
            version = String(inner)
        }
        self.version = version
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map {
            PercentCoding.decodedPathSegment($0.utf8) ?? ""
        }
        isDescription = path == "/swagger"
        if path == "/" || isDescription {
            (className, id) = (nil, nil)
            return
        }
        guard 3...4 ~= parts.count, parts[1] == "tables", TableColumns.classes.contains(parts[2]),
            parts.count == 3 || !parts[3].isEmpty
        else { throw UnknownForm(text: "path \(path)") }
        (className, id) = (parts[2], parts.count == 4 ? parts[3] : nil)
    }

    /// Azure Mobile Apps requires this spelling. Community Datasync requires the value `true`.
    var includesDeleted: Bool { parameters["__includeDeleted"] == "true" }

    /// The body of an insert or update.
    /// - Throws: `UnknownForm` for a body that is no object, and for a column that no table has.
    func body() throws(UnknownForm) -> JSONObject {
        guard request.headers[.contentType] == "application/json",
            let body = try? JSONReader.read(request.wholeBody).object
        else { throw UnknownForm(text: "a body that is no JSON object") }
        for (name, value) in body {
            guard
                TableColumns.names.contains(name) || TableColumns.reserved.contains(name)
                    || name == TableColumns.unknown
            else { throw UnknownForm(text: "the column \(name)") }
            if value.array != nil || value.object != nil { throw UnknownForm(text: "\(name): \(value.jsonText)") }
        }
        return body
    }
}

/// The options of a list of rows.
struct TableListQuery: Sendable {
    private var filter: TableFilter?
    private var isByTime = false
    private var selected: [String]?
    private(set) var top: Int?
    private(set) var skip = 0
    private(set) var wantsCount = false

    /// - Throws: `UnknownForm` for every parameter and value that `DatasyncRemote` does not send. `$skip` is known, for the break
    ///   `pagesSkipped`.
    init(_ parameters: [String: String], _ dialect: TablesSettings.Dialect) throws(UnknownForm) {
        for (name, text) in parameters.sorted(by: { $0.key < $1.key }) {
            let unknown = UnknownForm(text: "\(name)=\(text)")
            switch (name, text) {
            case ("$filter", _): filter = try TableFilter(text, dialect)
            case ("$orderby", "id"): isByTime = false
            case ("$orderby", "updatedAt,id"): isByTime = true
            case ("$select", _): selected = text.split(separator: ",").map(String.init)
            case ("$top", _):
                guard let number = Int(text), number > 0 else { throw unknown }
                top = number
            case ("$skip", _):
                guard let number = Int(text), number >= 0 else { throw unknown }
                skip = number
            case ("$inlinecount", "allpages") where dialect == .azure: wantsCount = true
            case ("$count", "true") where dialect == .community: wantsCount = true
            case ("__includeDeleted", "true"): break
            default: throw unknown
            }
        }
    }

    /// The matching rows in the order of the list. `id` is always the last order.
    func matching(_ rows: [TableRows.Row], includesDeleted: Bool) -> [TableRows.Row] {
        let matching = rows.filter { (includesDeleted || !$0.isDeleted) && filter?.matches($0) != false }
        return matching.sorted {
            isByTime ? ($0.changedUs, $0.id) < ($1.changedUs, $1.id) : $0.id < $1.id
        }
    }

    func selected(_ row: JSONObject) -> JSONObject {
        guard let selected else { return row }
        return JSONObject(row.compactMap { name, value in selected.contains(name) ? (name, value) : nil })
    }
}
