import HTTPClient
import HTTPTypes
import ParseModel

extension ParseDate {
    /// Reads the date form of HTTP (IMF-fixdate, RFC 9110 §5.6.7): `Sat, 21 Nov 2026 01:29:11 GMT`.
    init?(httpDate text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].last == ",", parts[5] == "GMT",
            parts[1].utf8.count == 2, parts[3].utf8.count == 4, parts[4].utf8.count == 8,
            let month = Self.monthNames.firstIndex(of: String(parts[2]))
        else { return nil }
        // A leap second has no number of its own here.
        let time = parts[4].hasSuffix(":60") ? parts[4].dropLast(2) + "59" : parts[4]
        let monthNumber = (month < 9 ? "0" : "") + String(month + 1)
        self.init(iso: "\(parts[3])-\(monthNumber)-\(parts[1])T\(time)Z")
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The server's clock when it answered, whole seconds; nil where the answer does not tell it.
    init?(dateOf response: HTTPClientResponse) {
        guard let date = response.headers[.date].flatMap({ ParseDate(httpDate: $0) }) else { return nil }
        self = date
    }
}

extension HTTPClientResponse {
    /// How long the server asks us to stay away (`Retry-After`, RFC 9110 §10.2.3), at most a day.
    var retryAfter: Duration? {
        guard let text = headers[.retryAfter] else { return nil }
        if let seconds = UInt64(text) { return .seconds(min(seconds, 86_400)) }
        guard let until = ParseDate(httpDate: text), let now = ParseDate(dateOf: self) else { return nil }
        return .milliseconds(min(max(0, until.milliseconds - now.milliseconds), 86_400_000))
    }
}
