import HTTPTypes

/// The bytes of a file that a request asks for (RFC 9110 §14.2): one range, or all.
enum ByteRange: Hashable {
    case whole
    case part(Range<Int64>)
    /// The file has none of the requested bytes.
    case unsatisfiable

    /// - Parameters:
    ///   - size: the file's size in bytes.
    ///   - tag: the file's entity tag. If `If-Range` has another value, the result is `whole`.
    init(_ headers: HTTPFields, size: Int64, tag: String) {
        self = .whole
        guard let text = headers[.range]?.lowercased(), text.hasPrefix("bytes=") else { return }
        if let condition = headers[.ifRange], condition != tag { return }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        // A request for several ranges gets the whole file, as RFC 9110 permits.
        guard bounds.count == 2, !text.contains(",") else { return }
        let (first, last) = (Self.number(bounds[0]), Self.number(bounds[1]))
        switch (first, last) {
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .part(first..<min(last + 1, size)) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }

    private static func number(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
            number < .max
        else { return nil }
        return number
    }
}
