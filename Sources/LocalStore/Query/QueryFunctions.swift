import Foundation
import GRDB
import ParseModel
import Synchronization

/// SQL functions for what SQLite has no operator for.
enum QueryFunctions {
    static let regex = "parse_regex"
    static let jsonEqual = "parse_json_equal"

    static func register(in db: Database, _ interruption: Interruption) {
        registerPlaces(in: db, interruption)
        db.add(
            function: DatabaseFunction(regex, argumentCount: 3, pure: true) { values in
                if interruption.isOn { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
                guard let pattern = String.fromDatabaseValue(values[0]), let text = String.fromDatabaseValue(values[2])
                else { return false }
                return try matches(
                    try expression(pattern, options: String.fromDatabaseValue(values[1]) ?? ""), text, interruption)
            })
        db.add(
            function: DatabaseFunction(jsonEqual, argumentCount: 2, pure: true) { values in
                guard let a = String.fromDatabaseValue(values[0]), let b = String.fromDatabaseValue(values[1]) else {
                    return false
                }
                return try JSONReader.read(a, depthMax: JSONReader.storedDepthMax)
                    == JSONReader.read(b, depthMax: JSONReader.storedDepthMax)
            })
    }

    /// How often a search may report that it goes on, beyond once or twice for each place of the text: some patterns,
    /// such as `(a+)+$`, take twice as long with every letter, and would keep a thread for ever.
    private static let reportsMax = 4000

    static func matches(
        _ expression: NSRegularExpression, _ text: String, _ interruption: Interruption
    ) throws -> Bool {
        let range = NSRange(text.startIndex..., in: text)
        let limit = reportsMax + 2 * range.length
        var reports = 0
        var isMatch = false
        expression.enumerateMatches(in: text, options: .reportProgress, range: range) { match, _, stop in
            isMatch = match != nil
            reports += 1
            stop.pointee = ObjCBool(isMatch || reports > limit || interruption.isOn)
        }
        if !isMatch, interruption.isOn { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
        guard isMatch || reports <= limit else {
            throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "$regex takes too long: make it simpler")
        }
        return isMatch
    }

    /// - Throws: `ParseError` for a pattern that is no regular expression.
    static func expression(_ pattern: String, options: String) throws -> NSRegularExpression {
        let key = options + "/" + pattern
        if let known = compiled.withLock({ $0[key] }) { return known.expression }
        var flags: NSRegularExpression.Options = []
        if options.contains("i") { flags.insert(.caseInsensitive) }
        if options.contains("m") { flags.insert(.anchorsMatchLines) }
        if options.contains("s") { flags.insert(.dotMatchesLineSeparators) }
        if options.contains("x") { flags.insert(.allowCommentsAndWhitespace) }
        guard let expression = try? NSRegularExpression(pattern: pattern, options: flags) else {
            throw ParseError(.invalidQuery, "$regex is not a regular expression: \(pattern)")
        }
        compiled.withLock {
            if $0.count >= compiledMax { $0.removeAll() }
            $0[key] = Compiled(expression: expression)
        }
        return expression
    }

    private struct Compiled: @unchecked Sendable {
        // NSRegularExpression is immutable and documented as safe to use from several threads at once.
        let expression: NSRegularExpression
    }

    private static let compiledMax = 64
    private static let compiled = Mutex<[String: Compiled]>([:])
}
