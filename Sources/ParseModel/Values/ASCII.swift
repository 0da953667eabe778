extension UInt8 {
    /// True for `A–Z` and `a–z`.
    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    /// True for `0–9`.
    var isDigit: Bool { self &- 0x30 < 10 }
}
