/// The date form of HTTP (IMF-fixdate, RFC 9110 §5.6.7): `Sat, 21 Nov 2026 01:29:11 GMT`, in whole seconds.
extension ParseDate {
    /// Reads a date in the HTTP format.
    /// - Returns: nil for every other format.
    package init?(httpDate text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].last == ",", parts[5] == "GMT",
            parts[1].utf8.count == 2, parts[3].utf8.count == 4, parts[4].utf8.count == 8,
            let month = Self.monthNames.firstIndex(of: String(parts[2]))
        else { return nil }
        // A leap second becomes the second before it.
        let time = parts[4].hasSuffix(":60") ? parts[4].dropLast(2) + "59" : parts[4]
        let monthNumber = (month < 9 ? "0" : "") + String(month + 1)
        self.init(iso: "\(parts[3])-\(monthNumber)-\(parts[1])T\(time)Z")
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The date in HTTP's format, in whole seconds.
    package var httpDate: String {
        // `iso` has the form 2023-11-14T22:13:20.000Z.
        let parts = iso.split(whereSeparator: { "-T.".contains($0) }).map(String.init)
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        // 1 January 1970 was a Thursday.
        let day = Self.dayNames[(days % 7 + 7) % 7]
        let month = Self.monthNames[(Int(parts[1]) ?? 1) - 1]
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }
}
