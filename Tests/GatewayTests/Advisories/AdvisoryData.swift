import ParseModel

/// The users, classes and objects that exist before the probes run. A probe refers to an object by its name in braces:
/// `{name}`.
enum AdvisoryData {
    /// The text that no answer to another caller than the master key may contain, unless a probe says otherwise.
    static let marker = "s3cr3t"
    static let users: [AdvisoryRequest.Caller] = [.ada, .eve, .rob, .nina]

    /// The roles with their members: Rob is a member of `Editors`. Nina is a member of `Staff`, which is a member of
    /// `Editors`.
    static let roles = [
        (name: "staff", body: #"{"name":"Staff","ACL":{},"users":\#(adding("_User", "nina"))}"#),
        (
            name: "editors",
            body:
                #"{"name":"Editors","ACL":{},"users":\#(adding("_User", "rob")),"roles":\#(adding("_Role", "staff"))}"#
        ),
    ]

    static let config = #"{"params":{"apiSecret":"{marker}","open":1},"masterKeyOnly":{"apiSecret":true}}"#

    /// The JSON text of a pointer to the object that probes call `{name}`.
    static func pointer(_ className: String, _ name: String) -> String {
        #"{"__type":"Pointer","className":"\#(className)","objectId":"{\#(name)}"}"#
    }

    private static func adding(_ className: String, _ name: String) -> String {
        #"{"__op":"AddRelation","objects":[\#(pointer(className, name))]}"#
    }

    // MARK: Classes

    private static func permissions(_ entities: JSONValue, _ more: JSONObject = [:]) -> JSONObject {
        var permissions = more
        for operation in ["find", "get", "count", "create", "update", "delete", "addField"] {
            permissions[operation] = entities
        }
        return permissions
    }

    private static func schema(
        _ name: String, _ permissions: JSONObject?, _ more: [String: FieldType] = [:]
    ) -> ClassSchema {
        var fields: [String: FieldType] = [
            "text": .string, "n": .number, "o": .object, "owner": .pointer("_User"), "members": .relation("Member"),
        ]
        fields.merge(more) { $1 }
        return ClassSchema(name, added: fields.mapValues { SchemaField($0) }, permissions: permissions)
    }

    private static let everyone: JSONValue = ["*": true]

    static let schemas: [ClassSchema] = [
        schema("Member", nil),
        schema("Open", nil, ["p": .pointer("Secret"), "list": .array, "leak": .pointer("_Session")]),
        schema("Probe", nil, ["to": .pointer("Secret"), "list": .array]),
        schema("Secret", permissions(everyone, ["protectedFields": ["*": ["text"]]])),
        schema("Guarded", permissions(everyone, ["protectedFields": ["*": ["members"]]])),
        schema(
            "Edited", permissions(everyone, ["protectedFields": ["*": ["text"], "role:Editors": []]])),
        schema("Locked", nil),
        schema("Closed", permissions([:])),
        schema("Owned", permissions([:], ["readUserFields": ["owner"]])),
        schema(
            "Leak", nil,
            [
                "audience": .relation("_Audience"), "jobs": .relation("_JobStatus"), "pushes": .relation("_PushStatus"),
                "sessions": .relation("_Session"), "devices": .relation("_Installation"),
            ]),
    ]

    /// Classes with relations that the gateway itself refuses to declare. Only a remote can describe them.
    static let schemasOfRemote: [ClassSchema] = [
        ClassSchema("_Role"), ClassSchema("_User"),
        schema("LeakOfRemote", nil, ["config": .relation("_GlobalConfig"), "hooks": .relation("_Hooks")]),
    ]

    // MARK: Objects

    static let objects: [(className: String, name: String, body: String)] = [
        ("Member", "member", #"{"n":1}"#),
        ("Open", "open", #"{"text":"plain","n":1,"o":{"c":1,"d":"x"}}"#),
        (
            "Secret", "secret",
            #"{"text":"{marker}","n":7,"o":{"c":1},"owner":\#(pointer("_User", "ada")),"members":\#(adding("Member", "member"))}"#
        ),
        ("Guarded", "guarded", #"{"n":7,"members":\#(adding("Member", "member"))}"#),
        ("Edited", "edited", #"{"text":"{marker}","n":7}"#),
        ("Locked", "locked", #"{"text":"{marker}","n":7,"ACL":{},"members":\#(adding("Member", "member"))}"#),
        ("Closed", "closed", #"{"text":"{marker}","n":7,"members":\#(adding("Member", "member"))}"#),
        ("Owned", "owned", #"{"text":"{marker}","n":7,"owner":\#(pointer("_User", "ada"))}"#),
        ("Probe", "probe", #"{"to":\#(pointer("Secret", "secret")),"n":7}"#),
    ]
}
