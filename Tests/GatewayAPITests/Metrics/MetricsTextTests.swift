import Testing

@testable import GatewayAPI

@Suite struct MetricsTextTests {
    @Test func familiesAreOrderedByNameWithHelpAndType() {
        let text = MetricsText.text([
            .gauge("b_seconds", "Waiting.", 0.25), .counter("a_total", "Done.", [(["of": "x", "by": "y"], 3)]),
        ])
        #expect(
            text == """
                # HELP a_total Done.
                # TYPE a_total counter
                a_total{of="x",by="y"} 3
                # HELP b_seconds Waiting.
                # TYPE b_seconds gauge
                b_seconds 0.25

                """)
    }

    @Test func histogramBucketsAreCumulativeAndEndWithInfinity() {
        var histogram = Histogram(bounds: [.microseconds(250), .seconds(1)])
        for milliseconds in [0, 500, 500, 2000] { histogram.note(.milliseconds(milliseconds)) }
        let family = MetricFamily.histogram("a_seconds", "Time.", [(["of": "x"], histogram)])
        #expect(
            MetricsText.text([family]) == """
                # HELP a_seconds Time.
                # TYPE a_seconds histogram
                a_seconds_bucket{of="x",le="0.00025"} 1
                a_seconds_bucket{of="x",le="1"} 3
                a_seconds_bucket{of="x",le="+Inf"} 4
                a_seconds_sum{of="x"} 3
                a_seconds_count{of="x"} 4

                """)
    }

    @Test func lineAndLabelDelimitersAreEscaped() {
        let text = MetricsText.text([.gauge("a", "Back\\slash,\n\"quoted\".", [(["of": "\\\r\n\"é"], 1)])])
        #expect(
            text == """
                # HELP a Back\\\\slash,\\n"quoted".
                # TYPE a gauge
                a{of="\\\\\r\\n\\"é"} 1

                """)
    }

    @Test func metricFamilyWithoutSamplesIsStillDescribed() {
        #expect(MetricsText.text([.gauge("a", "None.", nil)]) == "# HELP a None.\n# TYPE a gauge\n")
    }

    @Test(arguments: [
        (0, "0"), (-2, "-2"), (1_700_000_000.125, "1700000000.125"), (0.0001, "0.0001"), (1e300, "1e+300"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
    ])
    func metricValuesAreWrittenInGoNumberSyntax(_ value: Double, _ text: String) {
        #expect(MetricsText.number(value) == text)
    }
}
