/// An error of the hashing of passwords.
package enum PasswordError: Error, Sendable, Hashable {
    /// Too many passwords wait to be hashed or verified.
    case busy
    /// The system lacks the memory for a hash.
    case outOfMemory
    /// The password is longer than the maximum, in bytes.
    case tooLong(bytesMax: Int)
}
