/// Who asks for something: what may be read and written depends on it.
package enum Principal: Sendable, Hashable {
    /// A client without the master key.
    case `public`
    /// A client with the master key, which no rule of a class or an object holds back.
    case master

    package var isMaster: Bool { self == .master }
}
