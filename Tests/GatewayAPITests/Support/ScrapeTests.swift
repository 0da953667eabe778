import Testing

/// The metrics tests rely on `Scrape` to report malformed text.
@Suite struct ScrapeTests {
    @Test(arguments: [
        "a 1\n", "# HELP a A.\n# TYPE a gauge\nb 1\n", "# HELP a A.\n# TYPE a gauge\na 1",
        "# HELP a A.\n# TYPE a gauge\na{b=\"\"\"} 1\n", "# HELP a A.\n# TYPE a gauge\na{b=\"c\",b=\"d\"} 1\n",
        "# HELP a A.\n# TYPE a gauge\na x\n", "# HELP a A.\n# TYPE b gauge\n",
        "# HELP a A.\n# TYPE a gauge\n# HELP a A.\n",
        "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
        "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
    ])
    func malformedMetricsTextIsDetected(_ text: String) { #expect(Scrape(text).problems != []) }

    @Test func wellFormedMetricsTextIsParsed() {
        let scrape = Scrape("# HELP a A.\n# TYPE a counter\na{b=\"c\\\"d\",e=\"\"} 2\n# HELP f F.\n# TYPE f gauge\n")
        #expect(scrape.problems == [])
        #expect(scrape.types == ["a": "counter", "f": "gauge"])
        #expect(scrape.value("a", ["b": "c\\\"d", "e": ""]) == 2)
        #expect(scrape.value("a") == nil)
    }
}
