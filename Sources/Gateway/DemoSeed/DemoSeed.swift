import ParseModel

/// What the demo's hub starts with.
package enum DemoSeed {
    /// The bodies of the creates, by class, in the order in which they are made.
    package static let classes: [(name: String, objects: [JSONObject])] = [
        ("Holiday", holidays), ("Birthday", birthdays),
    ]

    /// - Parameter day: `2027-02-06`.
    static func date(_ day: String) -> JSONValue {
        ["__type": "Date", "iso": .string(day + "T00:00:00.000Z")]
    }
}
