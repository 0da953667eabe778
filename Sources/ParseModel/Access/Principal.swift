/// The kind of client on whose behalf an operation reads or writes. `AccessRules` defines its rights.
package enum Principal: Sendable, Hashable {
    /// A client without the master key.
    case `public`
    /// A client with the master key, or the gateway itself. Permissions of classes and objects do not restrict it.
    case master

    package var isMaster: Bool { self == .master }
}
