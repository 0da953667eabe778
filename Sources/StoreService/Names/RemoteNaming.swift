import ParseModel

/// The names in a call to the remote: pointers to objects, and strings that look like an object id or a file name.
package struct NamedThings: Sendable, Hashable {
    package var pointers: Set<Pointer> = []
    package var texts: Set<String> = []

    /// The maximum number of strings that are looked up. The remaining strings of a larger call stay unchanged.
    package static let textsMax = 20_000

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }

    /// Adds a string that looks like a name: ten letters and digits, like Parse's ids, or a file name.
    package mutating func note(_ text: String) {
        guard texts.count < Self.textsMax, Self.isId(text) || FileName.given(text) != text else { return }
        texts.insert(text)
    }

    private static func isId(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
    }
}

/// The remote's names for objects and files that have other local names.
package struct RemoteNames: Sendable {
    package var pointers: [Pointer: Pointer] = [:]
    package var texts: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }
}

/// The store's part in forwarding a call to the remote.
package protocol RemoteNaming: Sendable {
    /// The remote's names for those objects and files whose local names differ.
    func remoteNames(of things: NamedThings) throws -> RemoteNames
}
