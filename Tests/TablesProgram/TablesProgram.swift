import Foundation
import TablesServer

/// A server of tables for the tests of the page: Azure Mobile Apps with the tables Holiday and Birthday.
///
/// It prints its address, and runs until its standard input ends. Its rows are in memory.
@main struct TablesProgram {
    static func main() throws {
        let columns: [TablesServer.Column] = [
            .init("name", .text), .init("date", .date), .init("details", .text), .init("giftIdeas", .text),
        ]
        let tables = ["Holiday", "Birthday"].map { TablesServer.Table($0, columns: columns, dialect: .azure) }
        let server = try TablesServer(
            .azure, tables: tables, now: { Int64(Date().timeIntervalSince1970 * 1_000_000) })
        try FileHandle.standardOutput.write(contentsOf: Data("\(server.url)\n".utf8))
        while readLine() != nil {}
        server.close()
    }
}
