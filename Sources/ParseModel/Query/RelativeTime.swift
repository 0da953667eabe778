/// A point in time relative to now: `in 2 days 3 hours`, `1 wk ago`, `now` (`relativeTimeToDate` of Parse Server).
package struct RelativeTime: Sendable, Hashable {
    /// The offset from now in seconds; negative for the past.
    package let seconds: Int64

    /// The error for an invalid relative time.
    struct Problem: Error { let info: String }

    /// The maximum offset in seconds: 100,000 years. The distance between any two dates of the years 0000–9999 is smaller.
    private static let secondsMax: Int64 = 3_155_760_000_000

    init(_ text: String) throws(Problem) {
        let text = text.lowercased()
        var parts = text.split(separator: " ").map(String.init)
        if text == "now" {
            seconds = 0
            return
        }
        let isFuture = parts.first == "in"
        let isPast = parts.last == "ago"
        guard isFuture || isPast else { throw Problem(info: "Time should either start with 'in' or end with 'ago'") }
        guard !isFuture || !isPast else { throw Problem(info: "Time cannot have both 'in' and 'ago'") }
        if isFuture { parts.removeFirst() } else { parts.removeLast() }
        guard parts.count.isMultiple(of: 2) else {
            throw Problem(info: "Invalid time string. Dangling unit or number.")
        }
        var total: Int64 = 0
        for place in stride(from: 0, to: parts.count, by: 2) {
            guard let count = Int64(parts[place]) else { throw Problem(info: "'\(parts[place])' is not an integer.") }
            guard let unit = Self.unit(parts[place + 1]) else {
                throw Problem(info: "Invalid interval: '\(parts[place + 1])'")
            }
            let (span, overflow) = count.multipliedReportingOverflow(by: unit)
            guard !overflow, span.magnitude <= Self.secondsMax, (total + span).magnitude <= Self.secondsMax else {
                throw Problem(info: "'\(parts[place])' is too large.")
            }
            total += span
        }
        seconds = isFuture ? total : -total
    }

    /// The length of a unit in seconds; nil for an unknown unit.
    private static func unit(_ name: String) -> Int64? {
        switch name {
        case "yr", "yrs", "year", "years": 365 * 86_400
        case "wk", "wks", "week", "weeks": 7 * 86_400
        case "d", "day", "days": 86_400
        case "hr", "hrs", "hour", "hours": 3600
        case "min", "mins", "minute", "minutes": 60
        case "sec", "secs", "second", "seconds": 1
        default: nil
        }
    }

    /// Reads `{"$relativeTime":…}`.
    /// - Returns: nil for every other value, and for an invalid time.
    package init?(_ value: JSONValue) {
        guard let text = value.object?["$relativeTime"]?.string, let time = try? RelativeTime(text) else { return nil }
        self = time
    }

    /// The date that lies `seconds` after `now`.
    package func date(now: ParseDate) -> ParseDate { now + .seconds(seconds) }
}
