import HTTPTypes
import ParseModel
import RemoteService

/// A dialect of the tables protocol: the kind of server and the ways in which it differs from the other kind.
package enum TableDialect: String, Sendable, Hashable, CaseIterable {
    /// Azure Mobile Apps, API version 2.0.0. An update is a PATCH of some columns.
    case azure
    /// Community Datasync 8 to 10. An update is a PUT of the whole row.
    case community

    /// The name of the server's software.
    var product: String {
        switch self {
        case .azure: "Azure Mobile Apps"
        case .community: "Community Datasync"
        }
    }

    var rules: any DialectRules {
        switch self {
        case .azure: AzureDialect()
        case .community: CommunityDialect()
        }
    }

    /// The dialect that the answer to a list shows; nil if it is neither. Azure Mobile Apps answers an array, or an
    /// object with `results`. Community Datasync answers an object with `items`.
    init?(ofList answer: JSONValue) {
        if answer.array != nil || answer.object?["results"]?.array != nil {
            self = .azure
        } else if answer.object?["items"]?.array != nil {
            self = .community
        } else {
            return nil
        }
    }
}

/// The rules in which one dialect of the tables protocol differs from the others: paths, filters, conditions and answers.
protocol DialectRules: Sendable {
    /// Whether rows have a `createdAt`.
    var hasCreationTimes: Bool { get }
    /// Whether an update replaces the whole row (PUT). Otherwise an update contains only the changed columns (PATCH).
    var replacesRows: Bool { get }
    /// The usual number of rows in a page.
    var pageSize: Int { get }
    /// The maximum length of a request's body in bytes; nil for no known maximum.
    var bodyBytesMax: Int? { get }
    /// The parameter that adds the number of all matching rows to a list.
    var countParameter: String { get }

    /// The text of a time in a `$filter`.
    func literal(_ time: ParseDate) -> String

    /// The rows in the answer to a list, and the number of all matching rows if it was requested.
    func list(in answer: JSONValue) -> (rows: [JSONValue], count: Int?)?
}

/// The rules of Azure Mobile Apps.
struct AzureDialect: DialectRules {
    let hasCreationTimes = true
    let replacesRows = false
    let pageSize = 50
    let bodyBytesMax: Int? = 102_400
    let countParameter = "$inlinecount=allpages"

    func literal(_ time: ParseDate) -> String { "datetimeoffset'\(time.iso)'" }

    func list(in answer: JSONValue) -> (rows: [JSONValue], count: Int?)? {
        if let rows = answer.array { return (rows, nil) }
        return answer.object?["results"]?.array.map { ($0, answer.object?["count"]?.int) }
    }
}

/// The rules of Community Datasync.
struct CommunityDialect: DialectRules {
    let hasCreationTimes = false
    let replacesRows = true
    let pageSize = 100
    let bodyBytesMax: Int? = nil
    let countParameter = "$count=true"

    func literal(_ time: ParseDate) -> String { "cast(\(time.iso),Edm.DateTimeOffset)" }

    func list(in answer: JSONValue) -> (rows: [JSONValue], count: Int?)? {
        answer.object?["items"]?.array.map { ($0, answer.object?["count"]?.int) }
    }
}
