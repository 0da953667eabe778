import ParseModel

extension TablesServer {
    /// The kinds of servers that ``TablesServer`` can play.
    package enum Dialect: Sendable, Hashable, CaseIterable {
        /// Azure Mobile Apps, API version 2.0.0, as the Node server 3.0.1 on SQLite.
        case azure
        /// Community Datasync 8 to 10.
        case community
    }

    /// The type of a column.
    package enum ColumnType: Sendable, Hashable {
        case text
        case number
        case bool
        case date
    }

    /// A column of a table.
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: ColumnType

        package init(_ name: String, _ type: ColumnType) {
            self.name = name
            self.type = type
        }
    }

    /// A table and its options.
    package struct Table: Sendable {
        package var name: String
        /// The columns, without the system columns. With nil, an Azure table learns columns from inserts and updates (dynamic
        /// schema), and a Community table accepts every member.
        package var columns: [Column]?
        /// Whether a delete leaves a tombstone (soft delete).
        package var keepsTombstones = true
        /// Whether each row counts its own versions. Otherwise all rows share one counter, so a version never returns.
        package var countsVersionsByRow: Bool
        /// The maximum number of rows of a page.
        package var pageSize: Int
        /// The maximum value of `$top`.
        package var topMax: Int
        /// Whether writes are refused.
        package var isReadOnly = false
        /// The status of a refused write: by default 405 in the Azure dialect, 401 in the Community dialect.
        package var refusalStatus: Int
        /// Whether every request needs a valid token.
        package var needsToken = false
        /// Whether the column `userId` restricts each user to rows of their own. Such a table needs a token.
        package var ownsRowsByUser = false
        /// Whether the server numbers new rows and ignores the client's ids. Azure only.
        package var numbersIds = false
        /// Whether requests are answered as if the table did not exist.
        package var isHidden = false

        /// Creates a table with the defaults of the dialect.
        package init(_ name: String, columns: [Column]? = nil, dialect: Dialect = .azure) {
            self.name = name
            self.columns = columns
            countsVersionsByRow = dialect == .azure
            pageSize = dialect == .azure ? 50 : 100
            topMax = dialect == .azure ? 1000 : 128_000
            refusalStatus = dialect == .azure ? 405 : 401
        }
    }

    /// The state of a row. For tests.
    package struct RowState: Sendable, Equatable {
        /// The columns that have a value, without the system columns.
        package let fields: JSONObject
        /// The version as on the wire.
        package let version: String
        package let isDeleted: Bool
        /// The time of the last change, in microseconds since 1970.
        package let updatedAt: Int64
    }
}
