import HTTPTypes
import ParseModel
import RemoteService

/// The checks of `tidegate doctor` for the table of one class. They read the table, and send an update and a deletion
/// of a row that does not exist.
struct TableCheck {
    let className: String
    let exchange: TableExchange

    /// The findings of a check.
    struct Result {
        var findings: [RemoteFinding] = []
        /// The dialect of the server; nil if the table cannot be read.
        var dialect: TableDialect?
        /// Whether the server cannot be reached, so that the checks of all other tables would fail, too.
        var isUnreachable = false
    }

    func run() async -> Result {
        var result = Result()
        var path = ""
        do {
            path = try await exchange.configuration.mapping(className).path(of: className)
            let table = try await exchange.table(of: className)
            let rows = try await exchange.list(TableList(limit: 1), of: table).rows
            result.dialect = exchange.knowledge.dialect
            let described = exchange.knowledge.description.columns(at: table.path)
            let columns = (described?.keys.sorted() ?? rows.first?.object?.keys ?? []).filter { !Columns.isManaged($0) }
            result.findings += columnFindings(of: table, columns, described, rows.first?.object)
            if result.findings.contains(where: { $0.state == .failed }) { return result }
            result.findings.append(try await tombstoneFinding(of: table))
            result.findings.append(try await writeFinding(of: table, column: columns.first))
        } catch {
            let isRead = result.dialect != nil
            result.findings.append(finding(of: error, path, isRead: isRead))
            switch error {
            case .unreachable, .interrupted: result.isUnreachable = true
            default: break
            }
        }
        return result
    }

    private func finding(of error: RemoteError, _ path: String, isRead: Bool) -> RemoteFinding {
        switch error {
        case .unreachable, .interrupted: .noAnswer(error)
        case .unauthorized, .classUnauthorized:
            RemoteFinding(
                "keys", failed: "\(className): the table \(path) refuses the token", error,
                hint: "name a valid token with --remote-token, --remote-token-file or --remote-token-command")
        default:
            RemoteFinding(
                "table",
                failed: isRead
                    ? "\(className): a check of the table \(path) failed"
                    : "\(className): the table \(path) cannot be read", error,
                hint: isRead
                    ? nil
                    : "compare the path with the tables of the server; the class option `table` names another path")
        }
    }

    // MARK: Columns

    private func columnFindings(
        of table: Table, _ names: [String], _ described: [String: TablesDescription.ColumnType]?, _ row: JSONObject?
    ) -> [RemoteFinding] {
        if described?["id"] == .number || row?["id"]?.number != nil {
            let text = "\(className): the table \(table.path) numbers its own rows, which is not supported."
            return [RemoteFinding("table", .failed, text)]
        }
        let usable = names.filter(Columns.isField).map { name in
            described?[name].map { "\(name) (\($0.rawValue))" } ?? name
        }
        var text = "\(className): the table \(table.path) can be read."
        if !usable.isEmpty { text += " Columns: \(usable.joined(separator: ", "))." }
        if names.isEmpty { text += " It has no rows that show its columns." }
        let others = names.filter { !Columns.isField($0) }
        guard !others.isEmpty else { return [RemoteFinding("table", .ok, text)] }
        return [
            RemoteFinding("table", .ok, text),
            RemoteFinding(
                "columns", .noted,
                "\(className): Parse reserves or forbids these names of columns, so they stay untouched: "
                    + "\(others.joined(separator: ", "))."),
        ]
    }

    // MARK: Tombstones

    private func tombstoneFinding(of table: Table) async throws(RemoteError) -> RemoteFinding {
        let search = TableList(filter: "deleted eq true", limit: 1, includesDeleted: true)
        let rows: [JSONValue]
        do {
            rows = try await exchange.list(search, of: table).rows
        } catch {
            // The table may lack the column `deleted`.
            guard !error.endsEveryCheck else { throw error }
            rows = []
        }
        return RemoteFinding(
            "tombstones", .noted,
            rows.isEmpty
                ? "\(className): no tombstone of a deleted row was found. Deletions are found by comparing the ids of all rows."
                : "\(className): the table keeps tombstones of deleted rows.")
    }

    // MARK: Writes

    /// Checks whether the server would execute an update and a deletion, by its answers for a row that does not exist.
    /// A create cannot be checked, because it would create a row.
    /// - Parameter column: a column of the table; nil if none is known. Azure Mobile Apps fails on an update without columns, and
    ///   with a dynamic schema adds columns that the table lacks.
    private func writeFinding(of table: Table, column: String?) async throws(RemoteError) -> RemoteFinding {
        var requests = [
            (
                "a deletion",
                exchange.requests.write(.delete, Self.id, of: table.path, version: Self.version, isRepeatable: true)
            )
        ]
        if table.rules.replacesRows || column != nil {
            var body: JSONObject = ["id": .string(Self.id)]
            if let column { body[column] = .null }
            requests.insert(
                (
                    "an update",
                    exchange.requests.write(
                        table.rules.replacesRows ? .put : .patch, Self.id, of: table.path, body: body,
                        version: Self.version, isRepeatable: true)
                ), at: 0)
        }
        for (name, request) in requests {
            guard case .failure(let failure) = exchange.reader.read(try await exchange.response(to: request)) else {
                continue
            }
            switch failure {
            case .refused(ParseError.Code.operationForbidden.rawValue, let message), .unauthorized(let message):
                return RemoteFinding("writes", .noted, "\(className): the table refuses \(name): \(message)")
            default:
                return RemoteFinding(
                    "writes", .notAsked,
                    "\(className): the answer to \(name) of a missing row does not tell whether writes are allowed: "
                        + "\(failure.remoteError)")
            }
        }
        let checked = requests.map { $0.0.hasSuffix("update") ? "updates" : "deletions" }.joined(separator: " and ")
        // Community Datasync checks the permissions of rows after it has found the row.
        if table.rules.replacesRows {
            return RemoteFinding(
                "writes", .noted,
                "\(className): the table does not switch off \(checked). Permissions of rows are not checked.")
        }
        return RemoteFinding("writes", .ok, "\(className): the table accepts \(checked).")
    }

    /// An id and a version that no row has. If a row had the id, the version would still protect it.
    private static let id = "tidegate-doctor"
    private static let version = "AAAAAAAAAAA="
}

extension RemoteError {
    /// Whether the failure concerns the whole server, and not only one request.
    fileprivate var endsEveryCheck: Bool {
        switch self {
        case .unreachable, .interrupted, .unauthorized, .overloaded: true
        case .classUnauthorized, .faulty, .failed, .misaddressed, .tooMuch, .refused: false
        }
    }
}
