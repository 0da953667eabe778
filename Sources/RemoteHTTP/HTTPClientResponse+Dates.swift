import HTTPClient
import HTTPTypes
import ParseModel

extension ParseDate {
    /// The time in the `Date` header of the response, in whole seconds; nil without a valid header.
    package init?(dateOf response: HTTPClientResponse) {
        guard let date = response.headers[.date].flatMap({ ParseDate(httpDate: $0) }) else { return nil }
        self = date
    }
}

extension HTTPClientResponse {
    /// The delay in the `Retry-After` header (RFC 9110 §10.2.3), at most one day. A date in this header is counted from the time
    /// in the `Date` header. Nil without a valid `Retry-After`, and for a date without a valid `Date`.
    package var retryAfter: Duration? {
        guard let text = headers[.retryAfter] else { return nil }
        if let seconds = UInt64(text) { return .seconds(min(seconds, 86_400)) }
        guard let until = ParseDate(httpDate: text), let now = ParseDate(dateOf: self) else { return nil }
        return .milliseconds(min(max(0, until.milliseconds - now.milliseconds), 86_400_000))
    }
}
