import ParseModel

/// The formats of exports and imports. The raw value is the name in the parameter `format`.
enum TransferFormat: String, Sendable, CaseIterable {
    /// One object in Parse's JSON a line.
    case ndjson
    /// A table with typed heads, as the web page exports it.
    case csv
    /// `{"results":[…]}`: the form of Parse Server's class exports.
    case parse

    /// The format in the parameters of a request.
    /// - Throws: `ParseError` 102 (invalid query) for an unknown format.
    init(_ parameters: JSONObject) throws(ParseError) {
        guard let name = parameters.text("format") else {
            self = .ndjson
            return
        }
        guard let format = Self(rawValue: name) else {
            throw ParseError(.invalidQuery, "format must be ndjson, csv or parse.")
        }
        self = format
    }

    var contentType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .parse: "application/json; charset=utf-8"
        }
    }

    /// The extension of a file with this format.
    var fileExtension: String { self == .parse ? "json" : rawValue }
}
