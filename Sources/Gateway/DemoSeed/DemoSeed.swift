import ParseModel

/// The sample data of the demo's hub.
package enum DemoSeed {
    package struct Object: Sendable {
        package let fields: JSONObject
        /// The file name of the picture without its extension, in the directory `demo` of the web page.
        package let picture: String
    }

    /// The objects by class, in order of creation.
    package static let classes: [(name: String, objects: [Object])] = [
        ("Holiday", holidays), ("Birthday", birthdays),
    ]

    /// A Parse date at midnight UTC.
    /// - Parameter day: a date such as `2027-02-06`.
    static func date(_ day: String) -> JSONValue {
        ["__type": "Date", "iso": .string(day + "T00:00:00.000Z")]
    }
}
