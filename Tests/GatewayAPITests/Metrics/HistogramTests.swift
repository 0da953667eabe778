import Testing

@testable import GatewayAPI

@Suite struct HistogramTests {
    @Test func histogramCountsADurationInTheFirstFittingBucket() {
        var histogram = Histogram(bounds: [.milliseconds(1), .milliseconds(5)])
        for milliseconds in [0, 1, 2, 5, 6, 1000] { histogram.note(.milliseconds(milliseconds)) }
        #expect(histogram.counts == [2, 2, 2])
        #expect(histogram.sum == .milliseconds(1014))
    }
}
