extension Int {
    /// The number with a noun: `1 object`, `2 objects`.
    /// - Parameter noun: a singular noun with a plural in "s".
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
