import ParseModel

/// Compares values as texts, for a remote without types: it stores Date, Pointer, File and Bytes values as texts.
extension JSONValue {
    /// Whether both values may be readings of one and the same text, with different types of a `ClassMapping`. True for
    /// equal values.
    func isSameColumnText(as other: JSONValue) -> Bool {
        if self == other { return true }
        guard let text = columnText, let otherText = other.columnText else { return false }
        // A remote may show the text of a date in another notation than Parse: `2027-07-16T00:00:00Z`.
        let isDate = typeName == "Date" || other.typeName == "Date"
        if isDate, let date = ParseDate(iso: text) { return date == ParseDate(iso: otherText) }
        return text == otherText
    }

    private var typeName: String? { object?["__type"]?.string }

    /// The text of the value in a table; nil for a value that is no text there.
    private var columnText: String? {
        switch typeName {
        case nil: string
        case "Date": object?["iso"]?.string
        case "Pointer": object?["objectId"]?.string
        case "File": (object?["url"] ?? object?["name"])?.string
        case "Bytes": object?["base64"]?.string
        default: nil
        }
    }
}
