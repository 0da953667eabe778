import Foundation
import ParseModel

extension TablesServer {
    /// A stored row.
    package struct Row: Sendable {
        package let id: String
        /// The values by column name, in the form in which they are stored.
        package var fields: [String: JSONValue] = [:]
        /// A number, or the text that a client of an Azure table has sent as the version of a new row.
        var version = ""
        /// Microseconds since 1970, as `updatedAt`.
        let createdAt: Int64
        var updatedAt: Int64
        package var isDeleted = false
    }
}

typealias Row = TablesServer.Row

/// Times in microseconds since 1970.
enum WireTime {
    /// The time on the wire: ISO 8601 in UTC with milliseconds. Finer digits are cut off.
    static func text(_ microseconds: Int64) -> String {
        let rest = microseconds % 1000
        let milliseconds = (microseconds - (rest < 0 ? rest + 1000 : rest)) / 1000
        return ParseDate(milliseconds: milliseconds).iso
    }

    /// Reads an ISO 8601 time.
    /// - Returns: nil for every other text.
    static func microseconds(_ text: String) -> Int64? {
        guard let milliseconds = ParseDate(iso: text)?.milliseconds else { return nil }
        let digits = text.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }
        let finer = digits.dropFirst(3).prefix(3)
        let weight: Int64 = [0, 100, 10, 1][finer.count]
        return milliseconds * 1000 + (Int64(finer) ?? 0) * weight
    }

    /// Reads a date as JavaScript's `Date` does, for the formats that occur in tests: ISO 8601 and RFC 1123.
    static func javaScriptDate(_ text: String) -> String? {
        (ParseDate(iso: text) ?? ParseDate(httpDate: text)).map(\.iso)
    }
}
