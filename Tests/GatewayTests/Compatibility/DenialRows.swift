import HTTPServer
import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about the error texts of denials.
enum DenialRows {
    static let rows = [
        CompatibilityRow(
            "denied-by-class", seven: "400/119 Permission denied for action find on class Note.",
            nine: "400/119 Permission denied"
        ) { gateway in
            try await gateway.makeClass("Note", permissions: ["get": ["*": true]])
            return try await gateway.send("GET /classes/Note").words
        },
        CompatibilityRow(
            "denied-without-log-in", seven: "404/101 Permission denied, user needs to be authenticated.",
            nine: "404/101 Permission denied"
        ) { gateway in
            try await gateway.makeClass("Note", permissions: ["find": ["requiresAuthentication": true]])
            return try await gateway.send("GET /classes/Note").words
        },
        CompatibilityRow(
            "denied-internal-class",
            seven: "400/119 Clients aren't allowed to perform the find operation on the _PushStatus collection.",
            nine: "400/119 Permission denied"
        ) { try await $0.send("GET /classes/_PushStatus").words },
        CompatibilityRow(
            "denied-installations",
            seven: "400/119 Clients aren't allowed to perform the find operation on the installation collection.",
            nine: "400/119 Permission denied"
        ) { try await $0.send("GET /installations").words },
        CompatibilityRow(
            "denied-protected-field", seven: "400/119 This user is not allowed to query email on class _User",
            nine: "400/119 Permission denied"
        ) { try await $0.find("/users", where: ["email": "a@b.c"]).words },
        CompatibilityRow(
            "denied-email-verification",
            seven: "400/119 Clients aren't allowed to manually update email verification.",
            nine: "400/119 Permission denied"
        ) { gateway in
            let ada = try await gateway.signUp("ada")
            return try await gateway.send("PUT /users/\(ada.id)", ["emailVerified": true], as: ada).words
        },
        CompatibilityRow(
            "denied-change-of-a-user", seven: "400/206 Insufficient auth.", nine: "400/206 Permission denied"
        ) { gateway in
            let (ada, eve) = (try await gateway.signUp("ada"), try await gateway.signUp("eve"))
            return try await gateway.send("PUT /users/\(ada.id)", ["city": "Oslo"], as: eve).words
        },
        CompatibilityRow(
            "denied-without-session", seven: "400/209 Invalid session token", nine: "400/209 Permission denied"
        ) { gateway in
            let answers = [
                try await gateway.send("GET /users/me").words, try await gateway.send("GET /sessions").words,
            ]
            #expect(answers[0] == answers[1])
            return answers[0]
        },
        CompatibilityRow("invalid-session", "400/209 Invalid session token") {
            try await $0.send("GET /classes/Note", headers: ["X-Parse-Session-Token": "r:unknown"]).words
        },
        CompatibilityRow(
            "or-without-array", seven: "400/102 Bad $or format - use an array value.",
            nine: "400/102 Permission denied"
        ) { try await $0.find("/classes/Note", where: ["$or": ["n": 1]]).words },
        CompatibilityRow(
            "denied-without-master-key", seven: "403 unauthorized: master key is required",
            nine: "403 Permission denied"
        ) { try await $0.send("GET /schemas").words },
        CompatibilityRow(
            "denied-to-read-only-key", seven: "403 read-only masterKey isn't allowed to delete a file.",
            nine: "403 Permission denied"
        ) { gateway in
            try await gateway.send(
                "DELETE /files/a.txt", headers: ["X-Parse-Master-Key": CompatibilityGateway.readOnlyKey]
            )
            .words
        },
        CompatibilityRow("file-of-another-app", seven: "403/119 Invalid application ID.", nine: "403 Permission denied")
        {
            try await $0.send("GET /files/other/a.txt").words
        },
        CompatibilityRow("wrong-key", "403 unauthorized") {
            try await $0.send("GET /classes/Note", headers: ["X-Parse-Application-Id": "other"]).words
        },
        CompatibilityRow("master-key-from-elsewhere", "403 unauthorized") { gateway in
            let elsewhere = try #require(IPAddress("192.168.0.7"))
            return try await gateway.send("GET /schemas", master: true, from: elsewhere).words
        },
    ]
}
