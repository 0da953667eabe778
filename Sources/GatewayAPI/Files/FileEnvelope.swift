import Foundation
import ParseModel
import StoreService

/// A file as the JavaScript SDK sends it: JSON with the content as `base64`, credentials and other members. The content is
/// decoded piece by piece; the other members are small.
struct FileEnvelope {
    /// All members of the JSON object. The base64 text is replaced by an empty string.
    let rest: JSONObject
    /// The range of the base64 text in the body; nil if no member `base64` with a string was found.
    private let base64Range: Range<Int>?
    private let body: Data

    /// - Returns: nil if the body is not a JSON object, or exceeds 64 KiB without the base64 text. The body itself is then the
    ///   file's content.
    init?(_ body: Data) {
        guard let first = body.first(where: { !Self.blanks.contains($0) }), first == UInt8(ascii: "{") else {
            return nil
        }
        self.body = body
        base64Range = body.withUnsafeBytes { Self.base64Range(in: $0) }
        var around = [UInt8]()
        if let base64Range {
            guard base64Range.lowerBound + body.count - base64Range.upperBound <= Self.restBytesMax else { return nil }
            around += body[..<base64Range.lowerBound]
            around += body[base64Range.upperBound...]
        } else {
            guard body.count <= Self.restBytesMax else { return nil }
            around += body
        }
        guard let rest = (try? JSONReader.read(around))?.object else { return nil }
        self.rest = rest
    }

    private static let restBytesMax = 64 << 10
    private static let blanks: [UInt8] = Array(" \t\r\n".utf8)

    /// Whether there is a `base64` member, even one that is not a string.
    var hasContent: Bool { base64Range != nil || rest["base64"] != nil }

    /// Whether the JSON describes an upload. A JSON body that has neither a member `base64` nor a member `_method` is
    /// the file itself.
    var isUpload: Bool { hasContent || rest["_method"] != nil }

    /// Decodes the content into a draft, a file that is still being written.
    /// - Throws: `APIError.unauthorized` for a content that is not a string, `ParseError` 130 (file save error) for invalid base64, and errors of writing to the draft.
    func decode(into draft: FileDraft) throws {
        guard var base64Range else {
            guard rest["base64"]?.isNull == true else { throw APIError.unauthorized }
            throw ParseError(.fileSaveError, "The content is not base64.")
        }
        // A browser may write a prefix such as `data:image/png;base64,`. The prefix is skipped.
        if let comma = body[base64Range.prefix(100)].firstIndex(of: UInt8(ascii: ",")) {
            base64Range = comma + 1..<base64Range.upperBound
        }
        var four: [UInt8] = []
        while !base64Range.isEmpty {
            let piece = pieceWithoutHalfEscapes(base64Range)
            base64Range = piece.upperBound..<base64Range.upperBound
            four += try unescaped(piece)
            let isLast = base64Range.isEmpty
            var whole = Array(four[..<(isLast ? four.count : four.count & ~3)])
            four.removeFirst(whole.count)
            if isLast { whole += Array(repeating: UInt8(ascii: "="), count: (4 - whole.count % 4) % 4) }
            let padding = whole.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            // Padding is at most two characters `=`, at the end of the content.
            guard padding <= (isLast ? 2 : 0), !whole.dropLast(padding).contains(UInt8(ascii: "=")),
                let bytes = Data(base64Encoded: Data(whole))
            else { throw ParseError(.fileSaveError, "The content is not base64.") }
            try bytes.withUnsafeBytes { try draft.write($0) }
        }
    }

    /// A prefix of the range that has at most `pieceBytes` bytes and does not end inside an escape sequence.
    private func pieceWithoutHalfEscapes(_ base64Range: Range<Int>) -> Range<Int> {
        let piece = base64Range.prefix(Self.pieceBytes)
        guard piece.upperBound < base64Range.upperBound else { return piece }
        let tail = max(piece.lowerBound, piece.upperBound - Self.escapeBytes)..<piece.upperBound
        return piece.lowerBound..<(body[tail].firstIndex(of: UInt8(ascii: "\\")) ?? piece.upperBound)
    }

    /// The bytes of a piece, with JSON escapes decoded and without blanks. .NET, for example, escapes every plus sign.
    private func unescaped(_ piece: Range<Int>) throws -> [UInt8] {
        var bytes = Array(body[piece])
        if bytes.contains(UInt8(ascii: "\\")) {
            let quote = UInt8(ascii: "\"")
            guard let text = (try? JSONReader.read([quote] + bytes + [quote]))?.string else {
                throw ParseError(.fileSaveError, "The content is not base64.")
            }
            bytes = Array(text.utf8)
        }
        return bytes.filter { !Self.blanks.contains($0) }
    }

    /// The length in bytes of the longest escape sequence, such as `\u002B`.
    private static let escapeBytes = 6
    private static let pieceBytes = 48 << 10

    /// The range of the text in the top-level string `base64`; nil if there is no such string.
    private static func base64Range<Bytes: RandomAccessCollection<UInt8>>(in bytes: Bytes) -> Range<Int>?
    where Bytes.Index == Int {
        var (depth, place, isKey) = (0, 0, false)
        var key: Range<Int>?
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isKey = bytes[place] == UInt8(ascii: "{")
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isKey = true
            case UInt8(ascii: ":"): isKey = false
            case UInt8(ascii: "\""):
                let text = place + 1..<end(ofStringAt: place + 1, in: bytes)
                if depth == 1, isKey { key = text }
                if depth == 1, !isKey, let key, bytes[key].elementsEqual("base64".utf8) { return text }
                place = text.upperBound
            default: break
            }
            place += 1
        }
        return nil
    }

    private static func end<Bytes: RandomAccessCollection<UInt8>>(ofStringAt start: Int, in bytes: Bytes) -> Int
    where Bytes.Index == Int {
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place, bytes.count)
    }
}

extension Range<Int> {
    /// The first `count` values of the range.
    fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<Swift.min(lowerBound + count, upperBound) }
}
