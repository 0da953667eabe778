import HTTPServer
import LocalStore
import ParseModel

/// `/config` of a standalone gateway, whose file holds it; that of a replica is the remote's.
struct ConfigRoute: Sendable {
    let store: any ObjectStore
    let answers: Answers

    func get(_ call: Call) throws -> HTTPServerResponse {
        answers.json(try GlobalConfig(stored: store.config()).shown(toMaster: call.isMaster))
    }

    /// - Throws: `APIError.masterKeyRequired`, or `ParseError` for a body that cannot be used.
    func change(_ call: Call) throws -> @Sendable () async throws -> HTTPServerResponse {
        try call.requireMaster()
        let change = try GlobalConfig.Change(try call.parse.body.fields)
        return { [store, answers] in
            try await store.changeConfig { stored in
                var config = try GlobalConfig(stored: stored)
                try change.apply(to: &config)
                return config.text
            }
            return answers.json(["result": true])
        }
    }
}
