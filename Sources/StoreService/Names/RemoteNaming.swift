import ParseModel

/// The names in a call to the remote: objects by pointers, and texts that look like the id of an object or the name of a file.
package struct NamedThings: Sendable, Hashable {
    package var pointers: Set<Pointer> = []
    package var texts: Set<String> = []

    /// Of so many texts the names are looked up; the rest of a larger call stays as it is.
    package static let textsMax = 20_000

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }

    /// Takes a text that looks like a name: ten letters and digits, as ids that Parse makes, or the name of a file.
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

/// The names that the remote has for things which had other names here first.
package struct RemoteNames: Sendable {
    package var pointers: [Pointer: Pointer] = [:]
    package var texts: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }
}

/// The part of a store that the local API needs to forward a call to the remote.
package protocol RemoteNaming: Sendable {
    /// The remote's names of those of the things that have others there.
    func remoteNames(of things: NamedThings) throws -> RemoteNames
}
