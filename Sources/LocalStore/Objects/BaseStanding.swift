/// How an object's base is known. The raw value lies in the file, as `is_provisional`.
enum BaseStanding: Int64 {
    /// The remote has shown the row.
    case shown = 0
    /// The remote has shown the object before, and has acknowledged a later change without showing that.
    case acknowledged = 1
    /// The remote has acknowledged the create and has never shown the object.
    case unshown = 2
    /// The same, for so long that its lists are not expected to show it any more.
    case hidden = 3
}
