extension Int {
    /// `1 object`, `2 objects`.
    /// - Parameter noun: in the singular; its plural ends with s.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
