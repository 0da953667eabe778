import Foundation
import LocalStore
import ParseModel

/// A file as the SDK for JavaScript sends it: JSON with the content as `base64` among credentials and other members.
/// The content is never in memory whole; what stands around it is little.
struct FileEnvelope {
    /// The members without the content.
    let rest: JSONObject
    /// Where the content's letters are in the body; nil where there are none.
    private let letters: Range<Int>?
    private let body: Data

    /// - Returns: nil where the body is no JSON object: then it is the content itself.
    init?(_ body: Data) {
        guard let first = body.first(where: { !Self.blanks.contains($0) }), first == UInt8(ascii: "{") else {
            return nil
        }
        self.body = body
        letters = body.withUnsafeBytes { Self.letters(in: $0) }
        var around = [UInt8]()
        if let letters {
            guard letters.lowerBound + body.count - letters.upperBound <= Self.restBytesMax else { return nil }
            around += body[..<letters.lowerBound]
            around += body[letters.upperBound...]
        } else {
            guard body.count <= Self.restBytesMax else { return nil }
            around += body
        }
        guard let rest = (try? JSONReader.read(around))?.object else { return nil }
        self.rest = rest
    }

    private static let restBytesMax = 64 << 10
    private static let blanks: [UInt8] = Array(" \t\r\n".utf8)

    var hasContent: Bool { letters != nil }

    /// Writes the content that the letters stand for.
    /// - Throws: `ParseError` 130 where they are no base64, and what `draft` throws.
    func decode(into draft: FileDraft) throws {
        guard let letters else { return }
        var four: [UInt8] = []
        var place = letters.lowerBound
        // A browser may write `data:image/png;base64,` before it.
        if let comma = body[letters.prefix(100)].firstIndex(of: UInt8(ascii: ",")) { place = comma + 1 }
        while place < letters.upperBound {
            let end = min(place + Self.pieceBytes, letters.upperBound)
            // JSON may write a slash with a backslash before it.
            four += body[place..<end].filter { $0 != UInt8(ascii: "\\") && !Self.blanks.contains($0) }
            place = end
            let count = place < letters.upperBound ? four.count & ~3 : four.count
            var piece = Array(four[..<count])
            four.removeFirst(count)
            if place >= letters.upperBound {
                piece += Array(repeating: UInt8(ascii: "="), count: (4 - piece.count % 4) % 4)
            }
            guard let bytes = Data(base64Encoded: Data(piece)) else {
                throw ParseError(.fileSaveError, "The content is not base64.")
            }
            try bytes.withUnsafeBytes { try draft.write($0) }
        }
    }

    private static let pieceBytes = 48 << 10

    /// Finds the value of the outermost member `base64`.
    private static func letters<Bytes: RandomAccessCollection<UInt8>>(in bytes: Bytes) -> Range<Int>?
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
    /// The beginning of the range.
    fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<Swift.min(lowerBound + count, upperBound) }
}
