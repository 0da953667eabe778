/// A Prometheus metric family: samples with the same name and meaning.
package struct MetricFamily: Sendable {
    /// The Prometheus type: a counter only increases, a gauge may decrease, a histogram counts values in buckets.
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Label names and values, in output order.
    package typealias Labels = KeyValuePairs<String, String>

    struct Sample: Sendable {
        /// The suffix of the sample's name: `_bucket`, `_sum` or `_count` in a histogram, otherwise empty.
        var suffix = ""
        let labels: [(key: String, value: String)]
        let value: Double
    }

    let name: String
    let help: String
    let kind: Kind
    let samples: [Sample]

    /// A counter. Its name ends with `_total`.
    package static func counter(_ name: String, _ help: String, _ values: [(Labels, Int)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: values.map { Sample(labels: Array($0), value: Double($1)) })
    }

    /// A gauge with labels.
    package static func gauge(_ name: String, _ help: String, _ values: [(Labels, Double)]) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .gauge, samples: values.map { Sample(labels: Array($0), value: $1) })
    }

    /// A gauge without labels. If the value is nil, the family has no sample.
    package static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .gauge, samples: value.map { [Sample(labels: [], value: $0)] } ?? [])
    }

    /// A histogram of durations. Its name ends with `_seconds`.
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

/// A component with metrics for `GET /metrics`.
package protocol MetricsSource: Sendable {
    /// The current metrics, in a fixed order. No two sources have a metric of the same name.
    /// - Throws: `StoreError` if the metrics are read from a store.
    func families() async throws -> [MetricFamily]
}
