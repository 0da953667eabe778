import StoreService

/// Reads enumerations whose raw values are stored in the file.
extension RawRepresentable {
    /// The case with the stored value.
    /// - Parameters:
    ///   - raw: the stored value.
    ///   - name: describes the value in the error.
    /// - Throws: `StoreError.database` with the code of a corrupt file (11) for an unknown value.
    static func stored(_ raw: RawValue, as name: String) throws(StoreError) -> Self {
        guard let value = Self(rawValue: raw) else {
            throw .database(operation: "read \(name)", reason: "the value \(raw) is unknown (SQLite 11)")
        }
        return value
    }
}
