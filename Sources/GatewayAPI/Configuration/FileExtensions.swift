import ParseModel
import StoreService

/// The extensions of file names that clients without the master key may upload (Parse Server's `fileUpload.fileExtensions`).
package struct FileExtensions: Sendable, Hashable {
    /// Regular expressions for an extension in lower case. One of them must match.
    private let patterns: [String]

    package init(_ patterns: [String]) { self.patterns = patterns }

    package static let all = Self([".*"])
    /// Every extension except those of files that a browser executes, such as HTML and SVG. This is the default of
    /// Parse Server 9.
    package static let standard = Self([#"^(?!([xs]?html?|xht|svgz?|xml|xslt?)$)"#])

    /// - Parameters:
    ///   - name: the name of the file. Dots at its end do not count.
    ///   - type: the content type that the client has sent; nil if the extension of the name determines the type.
    /// - Throws: `ParseError` 130 (file save error) for an extension that is not allowed.
    func check(_ name: String, type: String?) throws(ParseError) {
        let ending = name.lowercased().split(separator: ".").dropFirst().last.map { [String($0)] } ?? []
        for ending in ending + Self.endings(of: type) {
            guard try allows(ending) else {
                throw ParseError(.fileSaveError, "File upload of extension \(ending) is disabled.")
            }
        }
    }

    private func allows(_ ending: String) throws(ParseError) -> Bool {
        for pattern in patterns where try RegularExpression.compiled(pattern, options: "").matches(ending) {
            return true
        }
        return false
    }

    /// The extensions that a content type names: `svg` and `xml` for `image/svg+xml`.
    private static func endings(of type: String?) -> [String] {
        guard let type, let slash = type.firstIndex(of: "/") else { return [] }
        let subtype = type[type.index(after: slash)...].prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        return subtype.split(separator: "+").map(String.init)
    }
}
