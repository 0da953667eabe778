import CCrypto
import Foundation
import ParseModel

/// An incremental SHA-256 digest.
package final class ContentDigest: @unchecked Sendable {
    // Used by one thread at a time: a `FileDraft` accesses its digest only under the lock of the draft.
    private let context: OpaquePointer

    /// The number of bytes of a digest.
    private static let size = 32
    /// The algorithm. libcrypto takes longer to find it than to compute the digest of a short text, so it is found once.
    /// The object never changes.
    nonisolated(unsafe) private static let algorithm: OpaquePointer = {
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto has no SHA-256") }
        return algorithm
    }()

    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Self.algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no memory")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func add(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    /// The digest as 64 hexadecimal digits. Must be called once, after all bytes were added.
    package func finish() -> String {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return Hexadecimal.text(of: bytes)
    }

    /// The digest of a text's UTF-8 bytes as 64 hexadecimal digits.
    package static func text(of text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.withUnsafeMutableBytes { write(of: text, to: $0) }
        return Hexadecimal.text(of: bytes)
    }

    /// Writes the digest of a text's UTF-8 bytes to `bytes`.
    /// - Parameter bytes: 32 bytes.
    package static func write(of text: String, to bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count == size)
        var text = text
        let isMade = text.withUTF8 {
            EVP_Digest(
                $0.baseAddress, $0.count, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, nil, algorithm, nil)
        }
        precondition(isMade == 1, "libcrypto has no memory")
    }
}

extension FileDraft.Content {
    /// The digest and size of a file.
    /// - Parameter each: receives the number of bytes of each piece that is read.
    /// - Throws: `StoreError.file` if the file cannot be read.
    package init(ofFile path: String, _ each: (Int) -> Void = { _ in }) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError.filesystem("open", path) }
        defer { close(file) }
        let digest = ContentDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var size = 0
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StoreError.filesystem("read", path) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { digest.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            size += count
            each(count)
        }
        self.init(sha256: digest.finish(), size: size)
    }
}
