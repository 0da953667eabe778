/// The exchanges of the recording that ``TablesServer`` answers in another way.
enum KnownDifferences {
    /// The reasons by the name of the exchange. Empty: all recorded exchanges agree.
    static let reasons: [String: String] = [:]
}
