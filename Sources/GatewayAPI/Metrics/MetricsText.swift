/// The text format of Prometheus, version 0.0.4: <https://prometheus.io/docs/instrumenting/exposition_formats/>.
enum MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Formats metric families, sorted by name. The samples of a family keep their order.
    static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) {
            text += "# HELP \(family.name) \(escaped(family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += "\(family.name)\(sample.suffix)\(labels(sample.labels)) \(number(sample.value))\n"
            }
        }
        return text
    }

    /// The number in Go syntax: `0.25`, `+Inf`. Integers have no fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func labels(_ labels: [(key: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { "\($0.key)=\"\(escaped($0.value, quotes: true))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }

    /// - Parameter quotes: true to escape quotation marks too, as in a label value; false for a help text.
    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var escaped = String.UnicodeScalarView()
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped.append(contentsOf: #"\\"#.unicodeScalars)
            case "\n": escaped.append(contentsOf: #"\n"#.unicodeScalars)
            case "\"" where quotes: escaped.append(contentsOf: #"\""#.unicodeScalars)
            default: escaped.append(character)
            }
        }
        return String(escaped)
    }
}
