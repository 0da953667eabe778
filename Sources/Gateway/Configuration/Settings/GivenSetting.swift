import Foundation
import HTTPServer
import ParseModel
import StoreService

/// A setting with its value in one source, and the conversions of its text into a value. Each conversion throws a
/// `ConfigurationError` if the text is invalid. The error names the setting, and never quotes a secret key.
struct GivenSetting {
    let setting: Setting
    /// The values: one or more for a list, otherwise one.
    let texts: [String]
    /// The setting's name in its source, for errors: `--listen`, `TIDEGATE_LISTEN`, `tidegate.yaml: listen`.
    let origin: String

    var text: String { texts.last ?? "" }

    /// The error for an invalid value: `origin: reason`.
    func wrong(_ reason: String) -> ConfigurationError { ConfigurationError("\(origin): \(reason)") }

    func bool() throws(ConfigurationError) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw wrong("'\(text)' is neither true nor false")
        }
    }

    func integer(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw wrong("'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func seconds(in range: ClosedRange<Double>) throws(ConfigurationError) -> Duration {
        guard let value = Double(text), range.contains(value) else {
            throw wrong(
                "'\(text)' is not a number of seconds from \(short(range.lowerBound)) to \(short(range.upperBound))")
        }
        return .milliseconds(Int64((value * 1000).rounded()))
    }

    /// A time with a unit: `90s`, `30m`, `12h` or `1d`. A number without a unit counts seconds.
    func period(in range: ClosedRange<Int64>) throws(ConfigurationError) -> Duration {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let number = Int64(unit == nil ? text : String(text.dropLast()))
        let seconds = number.flatMap { $0.multipliedReportingOverflow(by: unit ?? 1) }
        guard let seconds, !seconds.overflow, range.contains(seconds.partialValue) else {
            throw wrong(
                "'\(text)' is not a time such as 12h or 1d, from \(range.lowerBound) to \(range.upperBound) seconds")
        }
        return .seconds(seconds.partialValue)
    }

    /// The enumeration case whose raw value is the text in lower case.
    func choice<Choice: RawRepresentable & CaseIterable>() throws(ConfigurationError) -> Choice
    where Choice.RawValue == String {
        guard let value = Choice(rawValue: text.lowercased()) else {
            throw wrong("'\(text)' is not one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// The text in lower case, which must be one of the given words.
    func choice(among words: [String]) throws(ConfigurationError) -> String {
        guard words.contains(text.lowercased()) else {
            throw wrong("'\(text)' is not one of \(words.joined(separator: ", "))")
        }
        return text.lowercased()
    }

    /// The text, which must be valid in an HTTP header: visible ASCII without spaces.
    func headerText() throws(ConfigurationError) -> String {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw wrong("may hold only visible ASCII characters without spaces")
        }
        return text
    }

    func regularExpression() throws(ConfigurationError) -> String {
        guard (try? RegularExpression.compiled(text, options: "")) != nil else {
            throw wrong("is not a regular expression")
        }
        return text
    }

    func secret() throws(ConfigurationError) -> Secret { Secret(try headerText()) }

    /// The values without duplicates. Each value must be a class name.
    func classNames() throws(ConfigurationError) -> [String] {
        var names: [String] = []
        for name in texts where !names.contains(name) {
            guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil || ClassName.special.contains(name) else {
                throw wrong("'\(name)' is not the name of a class: a letter, then letters, digits and _")
            }
            names.append(name)
        }
        return names
    }

    func hostNames() throws(ConfigurationError) -> [String] {
        for name in texts where name.wholeMatch(of: /([A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/) == nil {
            throw wrong("'\(name)' is not a host name, with or without a port; leave out the scheme")
        }
        return texts.map { $0.lowercased() }
    }

    func networks() throws(ConfigurationError) -> [IPNetwork] {
        var networks: [IPNetwork] = []
        for text in texts {
            guard let network = IPNetwork(text) else {
                throw wrong("'\(text)' is not an IP address or a network such as 10.0.0.0/8 or fd00::/8")
            }
            networks.append(network)
        }
        return networks
    }

    func webOrigins() throws(ConfigurationError) -> [String] {
        for origin in texts where origin.wholeMatch(of: /https?:\/\/[A-Za-z0-9._\-\[\]:]+/) == nil {
            throw wrong("'\(origin)' is not an origin such as https://app.example or http://localhost:3000")
        }
        return texts.map { $0.lowercased() }
    }

    /// The URL of a remote, without trailing slash. Errors never quote an invalid URL, because it may contain a password.
    func remoteURL() throws(ConfigurationError) -> String {
        try url(
            schemes: ["http": "http", "https": "https"], "an http or https address such as https://example.org/parse")
    }

    /// The URL of a remote's LiveQuery, with `http` in place of `ws` and `https` in place of `wss`; or `off`.
    func liveQueryAddress() throws(ConfigurationError) -> GatewayConfiguration.LiveQueryAddress {
        if text.lowercased() == "off" { return .off }
        return .other(
            try url(
                schemes: ["ws": "http", "wss": "https"],
                "a ws or wss address such as wss://example.org/parse; 'off' opens no connection"))
    }

    /// A URL without trailing slash.
    /// - Parameters:
    ///   - schemes: the allowed schemes, each with the one that replaces it.
    ///   - form: describes the expected form in an error.
    private func url(schemes: [String: String], _ form: String) throws(ConfigurationError) -> String {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme.flatMap({ schemes[$0.lowercased()] }),
            let host = parts.host, !host.isEmpty
        else { throw wrong("is not \(form)") }
        guard parts.user == nil, parts.password == nil else {
            throw wrong("must not hold a user name or a password")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw wrong("must not hold a query or a fragment")
        }
        // Scheme and host become lower case, because they are case-insensitive, and the store compares the remote's URL as text.
        parts.scheme = scheme
        parts.host = host.lowercased()
        let url = parts.string ?? text
        return String(url.reversed().drop { $0 == "/" }.reversed())
    }

    private func short(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : String(value) }
}
