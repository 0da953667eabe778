import Testing

/// Parses the text of `/metrics` as a Prometheus server does, and reports format errors.
struct Scrape {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var types: [String: String] = [:]
    private(set) var helps: [String: String] = [:]
    private(set) var samples: [Sample] = []
    private(set) var problems: [String] = []

    init(_ text: String) {
        if !text.hasSuffix("\n") { problems.append("the last line has no end") }
        var family = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                family = String(match.1)
                if helps.updateValue(String(match.2), forKey: family) != nil {
                    problems.append("\(family) comes twice")
                }
            } else if let match = line.wholeMatch(of: /# TYPE (\S+) (counter|gauge|histogram)/) {
                if match.1 != family { problems.append("TYPE of \(match.1) within \(family)") }
                types[family] = String(match.2)
            } else if let sample = Self.sample(line) {
                let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                if !suffixes.contains(where: { family + $0 == sample.name }) {
                    problems.append("\(sample.name) within \(family)")
                }
                samples.append(sample)
            } else {
                problems.append("unreadable: \(line)")
            }
        }
        for (name, type) in types where type == "histogram" { checkHistogram(name) }
    }

    /// The value of the single sample with exactly these labels; nil if there is none.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: Substring) -> Sample? {
        guard let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/),
            let value = Double(match.3)
        else { return nil }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/) {
            guard labels.updateValue(String(label.2), forKey: String(label.1)) == nil else { return nil }
            rest = rest[label.range.upperBound...]
        }
        return rest.isEmpty ? Sample(name: String(match.1), labels: labels, value: value) : nil
    }

    /// Checks that the bounds and counts of the buckets ascend, and that the last bucket counts every sample.
    private mutating func checkHistogram(_ name: String) {
        let buckets = samples.filter { $0.name == name + "_bucket" }
        let series = Dictionary(grouping: buckets) { $0.labels.filter { $0.key != "le" } }
        for (labels, buckets) in series {
            let bounds = buckets.compactMap { $0.labels["le"].flatMap(Double.init) }
            let counts = buckets.map(\.value)
            if bounds.count != counts.count || zip(bounds, bounds.dropFirst()).contains(where: { $0 >= $1 }) {
                problems.append("\(name) \(labels): the bounds do not rise")
            }
            if zip(counts, counts.dropFirst()).contains(where: { $0 > $1 }) {
                problems.append("\(name) \(labels): the buckets are not cumulative")
            }
            if buckets.last?.labels["le"] != "+Inf" || counts.last != value(name + "_count", labels) {
                problems.append("\(name) \(labels): the last bucket is not everything")
            }
            if value(name + "_sum", labels) == nil { problems.append("\(name) \(labels): no sum") }
        }
        let counted = samples.count { $0.name == name + "_count" }
        if counted != series.count { problems.append("\(name): \(counted) counts of \(series.count)") }
    }
}

extension Gateway {
    /// The text of `/metrics`, which must be well-formed.
    func scrape(sourceLocation: SourceLocation = #_sourceLocation) async -> Scrape {
        let answer = await send("GET /metrics")
        #expect(answer.status == 200, sourceLocation: sourceLocation)
        let scrape = Scrape(answer.text)
        #expect(scrape.problems == [], sourceLocation: sourceLocation)
        return scrape
    }
}
