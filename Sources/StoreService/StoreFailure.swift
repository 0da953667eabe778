/// The properties of a store's error that the sync engine needs. A store's error type conforms to it.
package protocol StoreFailure: Error {
    /// The write failed for want of room; it may succeed once there is some.
    var isForWantOfRoom: Bool { get }
}
