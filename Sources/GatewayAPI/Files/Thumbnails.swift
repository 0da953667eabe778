import ParseModel

/// The box into which a thumbnail fits, in pixels.
package struct ThumbnailSize: Sendable, Hashable {
    package let width: Int
    package let height: Int
    private static let sideMax = 1024

    /// Reads `200x200`.
    /// - Throws: `ParseError` 102 (invalid query) for another form, and for a side of 0 or above `sideMax`.
    package init(_ text: String) throws(ParseError) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ (1...Self.sideMax).contains($0) }) else {
            throw ParseError(
                .invalidQuery, "'thumb' must be a size such as 200x200, of at most \(Self.sideMax) pixels on each side."
            )
        }
        (width, height) = (sides[0], sides[1])
    }

    /// The parameter `thumb`, to be added to an address.
    func query(after address: String) -> String { "\(address.contains("?") ? "&" : "?")thumb=\(width)x\(height)" }
}

/// A thumbnail: the path of its file, and the type of its content.
package struct Thumbnail: Sendable, Hashable {
    package let path: String
    package let contentType: String

    package init(path: String, contentType: String) {
        self.path = path
        self.contentType = contentType
    }
}

/// Makes and keeps small forms of pictures.
package protocol Thumbnails: Sendable {
    /// The thumbnail of a picture; nil if the content is no picture that can be scaled.
    /// - Parameters:
    ///   - path: the path of the picture.
    ///   - digest: the hash of its content, in hexadecimal.
    func thumbnail(of path: String, digest: String, _ size: ThumbnailSize) async -> Thumbnail?
}
