/// The exchanges of the recording that ``TablesServer`` answers in another way.
enum KnownDifferences {
    /// The reasons by the name of the exchange.
    static let reasons: [String: String] = [
        "gzip body": "the test server reads no compressed bodies"
    ]
}
