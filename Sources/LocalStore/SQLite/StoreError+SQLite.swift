import GRDB
import ParseModel
import StoreService

extension StoreError {
    /// Translates an error of SQLite to a `StoreError`, and an interruption to `ParseError` 124 (timeout). Returns any other
    /// error unchanged.
    static func wrapping(_ error: any Error, operation: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_FULL: return StoreError.diskFull
        // SQLite reports a write past the file size limit of the process as an I/O error of write(2).
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE: return StoreError.diskFull
        case .SQLITE_INTERRUPT: return ParseError(.timeout, error.message ?? "the query takes too long")
        default:
            return StoreError.database(
                operation: operation, reason: "\(error.message ?? "") (SQLite \(error.extendedResultCode.rawValue))")
        }
    }
}
