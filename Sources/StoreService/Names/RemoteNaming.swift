import ParseModel

/// The objects and files that a forwarded call may name: its pointers, and its texts that look like an object id or a
/// file name.
package struct NamedThings: Sendable, Hashable {
    package var pointers: Set<Pointer> = []
    package var texts: Set<String> = []
    /// The user names and e-mail addresses that the call sets for a user.
    package var accounts: Set<String> = []

    /// The maximum number of texts to look up. Further texts of a large call are forwarded unchanged.
    package static let textsMax = 20_000

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }

    /// Adds a text that looks like an id (ten letters and digits) or a file name with a unique prefix. Stops at `textsMax` texts.
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

/// Replacements for a forwarded call: the present id for each earlier id of an object, and the present name for each
/// earlier name of a file.
package struct RemoteNames: Sendable {
    package var pointers: [Pointer: Pointer] = [:]
    package var texts: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { pointers.isEmpty && texts.isEmpty }
}

/// Translates local ids and file names to those of the remote, for calls that the gateway forwards.
package protocol RemoteNaming: Sendable {
    /// Looks up the remote's ids of the objects and the remote's names of the files. Ids and names that the remote also
    /// uses are left out of the result.
    func remoteNames(of things: NamedThings) throws -> RemoteNames
}
