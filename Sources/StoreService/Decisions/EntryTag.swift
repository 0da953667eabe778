import ParseModel

/// Computes the tags of entries in the lists of pending changes, rejections and conflicts. A tag is equal in two lists if
/// the content of the entry, about which a client decides, is equal.
enum EntryTag {
    /// - Parameter parts: the parts of the content; nil for a missing part.
    /// - Returns: the tag with quotation marks, in the form of an entity tag.
    static func tag(of parts: [String?]) -> String {
        // FNV-1a, 64 bits. A separator that no part contains follows each part.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for part in parts {
            mix(part == nil ? 0xFE : 0xFF)
            part?.utf8.forEach(mix)
        }
        return "\"\(String(hash, radix: 16))\""
    }
}
