/// Computes the tags of entries in the lists of pending changes, rejections and conflicts. A tag is equal in two lists if
/// the content of the entry, about which a client decides, is equal.
///
/// The content can have fields that the reader of a list may not see. `Hasher` has a random seed for each process, so the
/// reader cannot find the values of these fields by computing tags. A tag of an earlier process matches no entry.
enum EntryTag {
    /// - Parameter parts: the parts of the content; nil for a missing part.
    /// - Returns: the tag with quotation marks, in the form of an entity tag.
    static func tag(of parts: [String?]) -> String {
        var hasher = Hasher()
        hasher.combine(parts)
        return "\"\(String(UInt(bitPattern: hasher.finalize()), radix: 16))\""
    }
}
