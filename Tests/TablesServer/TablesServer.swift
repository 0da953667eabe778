import Foundation
import ParseModel

/// A server for tests, on 127.0.0.1 with its rows in memory. It plays an Azure Mobile Apps server or a Community Datasync
/// server.
///
/// `TablesServerTests` compares the Azure dialect with recorded exchanges of a Node server 3.0.1. Both dialects have options
/// for each table (``Table``), faults (``fail(_:times:when:)``), and a log of the requests.
package final class TablesServer: Sendable {
    package let dialect: Dialect
    let site: TablesSite
    private let sockets: SocketServer

    /// Starts a server on a free port.
    ///
    /// - Parameters:
    ///   - users: the tokens that the server knows.
    ///   - answersSwagger: whether `GET /swagger` describes the tables. Azure only.
    ///   - now: the time in microseconds since 1970. It can be finer than the milliseconds of the wire.
    ///   - makeId: the id of a new row without one.
    /// - Throws: `POSIXError` if no port is free.
    package init(
        _ dialect: Dialect, tables: [Table], users: Users = Users(), answersSwagger: Bool = false,
        now: @escaping @Sendable () -> Int64,
        makeId: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws {
        self.dialect = dialect
        let site = TablesSite(
            Tables(dialect, tables: tables, users: users, answersSwagger: answersSwagger, makeId: makeId), now: now)
        self.site = site
        // Node limits a head to 16 KiB, Kestrel to 32 KiB.
        sockets = try SocketServer(headBytesMax: dialect == .azure ? 16 << 10 : 32 << 10) { site.reply(to: $0) }
    }

    deinit { sockets.close() }

    /// The address without a slash at the end: `http://127.0.0.1:49152`.
    package var url: String { "http://127.0.0.1:\(sockets.port)" }

    /// Breaks all connections and frees the port.
    package func close() { sockets.close() }

    // MARK: Requests

    /// The requests so far, such as `PATCH /tables/Holiday/x If-Match="MQ=="`.
    package var requests: [String] { site.withState(\.requests) }

    package func clearRequests() { site.withState { $0.requests = [] } }

    /// Sets a function that runs after each executed request, before its response is sent: for example the write of another
    /// client. A nil removes it.
    package func afterEachRequest(_ hook: (@Sendable (TablesRequest) -> Void)?) { site.withState { $0.hook = hook } }

    // MARK: Faults

    /// Adds a fault.
    /// - Parameters:
    ///   - times: the number of requests that the fault affects; nil without a limit.
    ///   - affects: chooses the requests.
    package func fail(
        _ effect: FaultEffect, times: Int? = 1,
        when affects: @escaping @Sendable (TablesRequest) -> Bool = { _ in true }
    ) {
        site.withState { $0.faults.add(Fault(effect: effect, timesLeft: times, affects: affects)) }
    }

    package func clearFaults() { site.withState { $0.faults.removeAll() } }

    // MARK: Options

    /// Changes the options of a table, for example to hide it.
    package func change(_ table: String, _ edit: (inout Table) -> Void) { site.withTable(table) { edit(&$0.table) } }

    /// Replaces the tokens that the server knows.
    package func set(_ users: Users) { site.withState { $0.tables.users = users } }
}
