extension UInt8 {
    /// `A–Z` or `a–z`
    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    /// `0–9`
    var isDigit: Bool { self &- 0x30 < 10 }
}
