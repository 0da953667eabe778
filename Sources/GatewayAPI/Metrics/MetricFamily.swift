/// Figures of one name and meaning, in the words of Prometheus.
package struct MetricFamily: Sendable {
    /// A counter only rises, a gauge rises and falls, a histogram is spread over buckets.
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Names and values, in the order in which they are written.
    package typealias Labels = KeyValuePairs<String, String>

    struct Sample: Sendable {
        /// The end of the sample's name: `_bucket`, `_sum` and `_count` of a histogram.
        var suffix = ""
        let labels: [(key: String, value: String)]
        let value: Double
    }

    let name: String
    let help: String
    let kind: Kind
    let samples: [Sample]

    /// A figure that only rises. Its name ends with `_total`.
    package static func counter(_ name: String, _ help: String, _ values: [(Labels, Int)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: values.map { Sample(labels: Array($0), value: Double($1)) })
    }

    /// A figure that rises and falls.
    package static func gauge(_ name: String, _ help: String, _ values: [(Labels, Double)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .gauge, samples: values.map { Sample(labels: Array($0), value: $1) })
    }

    /// One figure of its kind, without labels; nil: the family is there, and has no sample.
    package static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .gauge, samples: value.map { [Sample(labels: [], value: $0)] } ?? [])
    }

    /// Durations. The name ends with `_seconds`.
    package static func histogram(_ name: String, _ help: String, _ values: [(Labels, Histogram)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .histogram, samples: values.flatMap { samples(of: $1, Array($0)) })
    }

    private static func samples(of histogram: Histogram, _ labels: [(key: String, value: String)]) -> [Sample] {
        var samples: [Sample] = []
        var count = 0
        for (place, countHere) in histogram.counts.enumerated() {
            count += countHere
            let bound = place < histogram.bounds.count ? histogram.bounds[place] / .seconds(1) : .infinity
            samples.append(
                Sample(suffix: "_bucket", labels: labels + [("le", MetricsText.number(bound))], value: Double(count)))
        }
        return samples + [
            Sample(suffix: "_sum", labels: labels, value: histogram.sum / .seconds(1)),
            Sample(suffix: "_count", labels: labels, value: Double(count)),
        ]
    }
}
