extension ParseDate {
    /// Reads an ISO 8601 date: `2012-12-25T00:00:00.000Z`. The time, the seconds, the fraction and an offset such as `+02:00`
    /// are optional. The default time zone is UTC. Fractions are truncated to milliseconds.
    ///
    /// - Returns: nil for an invalid date or time, and for a year outside 0000–9999 in UTC.
    package init?(iso text: String) {
        var scanner = DigitScanner(bytes: Array(text.utf8))
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let dayOfMonth = scanner.number(2), let day = CivilDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        var total = day.daysSinceEpoch * Self.day
        if !scanner.isAtEnd {
            guard scanner.take("T") || scanner.take(" "), let time = scanner.timeOfDay(), let offset = scanner.offset(),
                scanner.isAtEnd
            else { return nil }
            total += time - offset
        }
        guard Self.representable.contains(total) else { return nil }
        milliseconds = total
    }

    /// The date in the format of Parse's responses: UTC with milliseconds, `2012-12-25T00:00:00.000Z`. Years outside 0000–9999
    /// have a sign and six digits, as in JavaScript, or nine digits if six do not suffice.
    package var iso: String {
        let days = milliseconds.flooredDivision(by: Self.day)
        // For dates near the ends of Int64 the product overflows. Wrapping arithmetic still yields the right difference.
        let inDay = milliseconds &- days &* Self.day
        let day = CivilDay(daysSinceEpoch: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        func append(_ value: Int64, _ width: Int, _ after: Unicode.Scalar) {
            var divisor: Int64 = 1
            for _ in 1..<width { divisor *= 10 }
            while divisor > 0 {
                bytes.append(0x30 + UInt8(value / divisor % 10))
                divisor /= 10
            }
            bytes.append(UInt8(ascii: after))
        }
        if (0...9999).contains(day.year) {
            append(day.year, 4, "-")
        } else {
            bytes.append(day.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            append(abs(day.year), abs(day.year) <= 999_999 ? 6 : 9, "-")
        }
        append(day.month, 2, "-")
        append(day.day, 2, "T")
        append(inDay / Self.hour, 2, ":")
        append(inDay / Self.minute % 60, 2, ":")
        append(inDay / 1000 % 60, 2, ".")
        append(inDay % 1000, 3, "Z")
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate static let minute: Int64 = 60_000
    fileprivate static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000
    /// The range of accepted dates: 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
    private static let representable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
}

/// A scanner that reads numbers from left to right.
private struct DigitScanner {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { at == bytes.count }

    /// Reads a number of exactly `width` digits; nil if fewer digits follow.
    mutating func number(_ width: Int) -> Int64? {
        guard at + width <= bytes.count else { return nil }
        var value: Int64 = 0
        for place in at..<at + width {
            guard bytes[place].isDigit else { return nil }
            value = value * 10 + Int64(bytes[place] - 0x30)
        }
        at += width
        return value
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    /// Reads a time such as `10:20`, `10:20:30` or `10:20:30.456`, in milliseconds; nil for an invalid time.
    mutating func timeOfDay() -> Int64? {
        guard let hour = number(2), hour <= 23, take(":"), let minute = number(2), minute <= 59 else { return nil }
        var total = hour * ParseDate.hour + minute * ParseDate.minute
        guard take(":") else { return total }
        guard let second = number(2), second <= 59 else { return nil }
        total += second * 1000
        guard take(".") else { return total }
        guard let tenths = number(1) else { return nil }
        total += tenths * 100
        var weight: Int64 = 10
        while let digit = number(1) {
            total += digit * weight
            weight /= 10
        }
        return total
    }

    /// Reads an offset such as `Z`, `+02:00`, `+0200` or `+02`, in milliseconds east of UTC; 0 if absent, nil if invalid.
    mutating func offset() -> Int64? {
        if isAtEnd || take("Z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2), hours <= 23 else { return nil }
        let hasColon = take(":")
        if isAtEnd, !hasColon { return isEast ? hours * ParseDate.hour : -hours * ParseDate.hour }
        guard let minutes = number(2), minutes <= 59 else { return nil }
        let offset = hours * ParseDate.hour + minutes * ParseDate.minute
        return isEast ? offset : -offset
    }
}
