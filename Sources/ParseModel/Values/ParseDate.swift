/// A Parse date: whole milliseconds since 1970-01-01T00:00:00Z.
package struct ParseDate: Sendable, Hashable, Comparable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: ParseDate, b: ParseDate) -> Bool { a.milliseconds < b.milliseconds }

    package static func + (date: ParseDate, span: Duration) -> ParseDate {
        let (seconds, attoseconds) = span.components
        return ParseDate(milliseconds: date.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    package static func - (date: ParseDate, span: Duration) -> ParseDate { date + (.zero - span) }
}

extension ParseDate {
    /// The date in Parse's JSON format: `{"__type":"Date","iso":"2012-12-25T00:00:00.000Z"}`.
    package var json: JSONValue { ["__type": "Date", "iso": .string(iso)] }

    /// Reads `{"__type":"Date","iso":…}`.
    /// - Returns: nil for every other value, and for an invalid date.
    package init?(_ value: JSONValue) {
        guard let object = value.object, object["__type"] == "Date", let iso = object["iso"]?.string else { return nil }
        self.init(iso: iso)
    }
}

/// A calendar day (proleptic Gregorian calendar). The arithmetic counts in eras of 400 years that begin on 1 March.
struct CivilDay: Equatable {
    let year: Int64
    /// The month, 1…12.
    let month: Int64
    /// The day of the month, 1…31.
    let day: Int64

    /// The day with this year, month and day of the month.
    /// - Returns: nil if the calendar has no such day.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...Self.daysIn(month: month, year: year)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter days: days since 1970-01-01.
    init(daysSinceEpoch days: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    var daysSinceEpoch: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredDivision(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
