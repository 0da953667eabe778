/// The rules of Parse Server for file names.
package enum FileName {
    /// The maximum length of a client's file name, in bytes.
    package static let bytesMax = 128

    /// Checks a file name.
    /// - Throws: Parse error 122 (invalid file name).
    package static func validate(_ name: String) throws(ParseError) {
        guard name.utf8.count <= bytesMax else { throw ParseError(.invalidFileName, "Filename too long.") }
        let isPlain = name.utf8.first.map { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") } ?? false
        guard isPlain, name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "@. ~_-".utf8.contains($0) }) else {
            throw ParseError(.invalidFileName, "Filename contains invalid characters.")
        }
    }

    /// The maximum length of a directory, in characters.
    private static let directoryMax = 256

    /// Checks the directory of a file: names of letters, digits, `_` and `-`, with slashes between them. The first name
    /// must not be `metadata`, because this is the name of a route.
    /// - Throws: Parse error 122 (invalid file name).
    package static func validate(directory: String) throws(ParseError) {
        guard directory.utf8.count <= directoryMax else {
            throw ParseError(.invalidFileName, "Directory path too long.")
        }
        let names = directory.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = directory.utf8.first.map { $0.isLetter || $0.isDigit } ?? false
        let isComplete = names.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
        }
        guard isPlain, isComplete, names.first != "metadata" else {
            throw ParseError(.invalidFileName, "Directory contains invalid characters.")
        }
    }

    /// Makes a unique name for a stored file: the directory and a slash, 32 random hexadecimal digits, an underscore and the client's
    /// name.
    package static func unique(_ name: String, in directory: String? = nil, _ environment: Environment) -> String {
        (directory.map { $0 + "/" } ?? "") + environment.hexadecimal32() + "_" + name
    }

    /// The name of a file in the segments of a path. In a directory, it has slashes.
    package static func joined(_ segments: ArraySlice<String>) -> String { segments.joined(separator: "/") }

    /// The client's file name inside a name made by `unique`; any other name is returned unchanged.
    package static func given(_ name: String) -> String {
        let prefix = name.utf8.prefix(33)
        guard prefix.count == 33, prefix.last == UInt8(ascii: "_"), name.utf8.count > 33,
            prefix.dropLast().allSatisfy(Hexadecimal.isDigit)
        else { return name }
        return String(name.utf8.dropFirst(33)) ?? name
    }
}
