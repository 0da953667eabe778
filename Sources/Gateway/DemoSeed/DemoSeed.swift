import ParseModel

/// The sample data of the demo's hub.
package enum DemoSeed {
    package struct Object: Sendable {
        package let fields: JSONObject
        /// The name of its picture, without the ending: a file of the directory `demo` of the page.
        package let picture: String
    }

    /// The objects by class, in the order in which they are made.
    package static let classes: [(name: String, objects: [Object])] = [
        ("Holiday", holidays), ("Birthday", birthdays),
    ]

    /// - Parameter day: `2027-02-06`.
    static func date(_ day: String) -> JSONValue {
        ["__type": "Date", "iso": .string(day + "T00:00:00.000Z")]
    }
}
