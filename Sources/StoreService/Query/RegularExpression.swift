import Foundation
import ParseModel
import Synchronization

/// A compiled `$regex` of a query.
package struct RegularExpression: @unchecked Sendable {
    // NSRegularExpression is immutable and documented as thread-safe.
    private let expression: NSRegularExpression

    /// The maximum number of cached expressions. The cache is emptied when it is full.
    private static let cacheMax = 64
    private static let cache = Mutex<[String: RegularExpression]>([:])

    /// Compiles an expression, or returns it from the cache.
    /// - Parameter options: any of `i`, `m`, `s` and `x`, as in MongoDB's `$options`.
    /// - Throws: `ParseError` 102 (invalid query) for an invalid pattern.
    package static func compiled(_ pattern: String, options: String) throws(ParseError) -> RegularExpression {
        let key = options + "/" + pattern
        if let known = cache.withLock({ $0[key] }) { return known }
        var flags: NSRegularExpression.Options = []
        if options.contains("i") { flags.insert(.caseInsensitive) }
        if options.contains("m") { flags.insert(.anchorsMatchLines) }
        if options.contains("s") { flags.insert(.dotMatchesLineSeparators) }
        if options.contains("x") { flags.insert(.allowCommentsAndWhitespace) }
        guard let expression = try? NSRegularExpression(pattern: pattern, options: flags) else {
            throw ParseError(.invalidQuery, "$regex is not a regular expression: \(pattern)")
        }
        let compiled = RegularExpression(expression: expression)
        cache.withLock {
            if $0.count >= cacheMax { $0.removeAll() }
            $0[key] = compiled
        }
        return compiled
    }

    /// The maximum number of progress reports of a search is this number plus two for each character of the text. The limit ends
    /// searches that take exponential time, such as `(a+)+$`.
    private static let reportsMax = 4000

    /// Whether the expression matches a text.
    /// - Parameter isInterrupted: checked during the search; true ends the search.
    /// - Throws: `ParseError` 124 (timeout) if the search was interrupted, or exceeded the limit of `reportsMax`.
    package func matches(_ text: String, isInterrupted: @escaping () -> Bool = { false }) throws(ParseError) -> Bool {
        let range = NSRange(text.startIndex..., in: text)
        let limit = Self.reportsMax + 2 * range.length
        var reports = 0
        var isMatch = false
        expression.enumerateMatches(in: text, options: .reportProgress, range: range) { match, _, stop in
            isMatch = match != nil
            reports += 1
            stop.pointee = ObjCBool(isMatch || reports > limit || isInterrupted())
        }
        if !isMatch, isInterrupted() { throw ParseError(.timeout, "the query takes too long") }
        guard isMatch || reports <= limit else {
            throw ParseError(.timeout, "$regex takes too long: make it simpler")
        }
        return isMatch
    }
}
