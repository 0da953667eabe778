/// The fields that every class has from the beginning, and those that a built-in class has in addition.
package enum DefaultFields {
    /// The default fields of every class.
    package static let common: [(name: String, type: FieldType)] = [
        ("objectId", .string), ("createdAt", .date), ("updatedAt", .date), ("ACL", .acl),
    ]

    /// The classes that exist even before an object of them is written.
    package static let classesFromTheStart = ["_Role", "_User"]

    /// All default fields of a class.
    package static func of(_ className: String) -> [(name: String, type: FieldType)] {
        common + (ofServersClasses[className] ?? [])
    }

    static func contain(_ field: String, of className: String) -> Bool {
        of(className).contains { $0.name == field }
    }

    private static let ofServersClasses: [String: [(name: String, type: FieldType)]] = [
        "_User": [
            ("username", .string), ("password", .string), ("email", .string), ("emailVerified", .boolean),
            ("authData", .object),
        ],
        "_Installation": [
            ("installationId", .string), ("deviceToken", .string), ("channels", .array), ("deviceType", .string),
            ("pushType", .string), ("GCMSenderId", .string), ("timeZone", .string), ("localeIdentifier", .string),
            ("badge", .number), ("appVersion", .string), ("appName", .string), ("appIdentifier", .string),
            ("parseVersion", .string),
        ],
        "_Role": [("name", .string), ("users", .relation("_User")), ("roles", .relation("_Role"))],
        "_Session": [
            ("user", .pointer("_User")), ("installationId", .string), ("sessionToken", .string), ("expiresAt", .date),
            ("createdWith", .object),
        ],
        "_Product": [
            ("productIdentifier", .string), ("download", .file), ("downloadName", .string), ("icon", .file),
            ("order", .number), ("title", .string), ("subtitle", .string),
        ],
        "_PushStatus": [
            ("pushTime", .string), ("source", .string), ("query", .string), ("payload", .string), ("title", .string),
            ("expiry", .number), ("expiration_interval", .number), ("status", .string), ("numSent", .number),
            ("numFailed", .number), ("pushHash", .string), ("errorMessage", .object), ("sentPerType", .object),
            ("failedPerType", .object), ("sentPerUTCOffset", .object), ("failedPerUTCOffset", .object),
            ("count", .number),
        ],
        "_JobStatus": [
            ("jobName", .string), ("source", .string), ("status", .string), ("message", .string), ("params", .object),
            ("finishedAt", .date),
        ],
        "_JobSchedule": [
            ("jobName", .string), ("description", .string), ("params", .string), ("startAfter", .string),
            ("daysOfWeek", .array), ("timeOfDay", .string), ("lastRun", .number), ("repeatMinutes", .number),
        ],
        "_Audience": [("name", .string), ("query", .string), ("lastUsed", .date), ("timesUsed", .number)],
    ]
}

/// The fields of a user's account, which in a replica only the remote can check.
package enum AccountFields {
    /// The fields with which a user signs in, and `emailVerified`.
    package static let names: Set<String> = ["username", "email", "emailVerified", "password", "authData"]
}
