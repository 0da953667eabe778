import ParseModel
import StoreService

/// The column `objects.content_mark`: the number of an object's content.
///
/// The number consists of the time of the last content change, in milliseconds, and the low bits of the change's number in the
/// change feed. The feed number makes the content numbers in a file different. The time makes them differ from those of changes
/// that were lost by restoring a backup of the file, and from those of other gateways.
extension ContentMark {
    private static let numberBits: Int64 = 16

    /// Rows of earlier versions keep NULL, so that the migration writes no row. For them, `column` uses `updated_at`.
    static let migration = "ALTER TABLE objects ADD COLUMN content_mark INTEGER;"

    /// The SQL expression for the number of an object's content.
    static let column = "coalesce(content_mark, updated_at << \(numberBits))"

    /// The content number for a change.
    /// - Parameters:
    ///   - entry: the number of the change in the feed.
    ///   - time: the time of the transaction.
    static func number(ofEntry entry: Int64, at time: ParseDate) -> Int64 {
        time.milliseconds << numberBits | entry & (1 << numberBits - 1)
    }
}
