/// Names of files, as a Parse Server takes and makes them.
package enum FileName {
    /// In bytes, of the name that a client gives.
    package static let bytesMax = 128

    /// - Throws: 122 for a name that a Parse Server refuses.
    package static func validate(_ name: String) throws(ParseError) {
        guard name.utf8.count <= bytesMax else { throw ParseError(.invalidFileName, "Filename too long.") }
        let isPlain = name.utf8.first.map { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") } ?? false
        guard isPlain, name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "@. ~_-".utf8.contains($0) }) else {
            throw ParseError(.invalidFileName, "Filename contains invalid characters.")
        }
    }

    /// The name that objects carry: 32 hexadecimal digits, so that no two files have the same, and the given one.
    package static func unique(_ name: String, _ environment: Environment) -> String {
        let digits = [environment.random(), environment.random()].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        return digits.joined() + "_" + name
    }

    /// What a client called the file, out of a unique name; the whole of another one.
    package static func given(_ name: String) -> String {
        let prefix = name.utf8.prefix(33)
        guard prefix.count == 33, prefix.last == UInt8(ascii: "_"), name.utf8.count > 33,
            prefix.dropLast().allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { return name }
        return String(name.utf8.dropFirst(33)) ?? name
    }
}
