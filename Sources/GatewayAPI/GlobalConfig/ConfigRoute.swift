import HTTPServer
import ParseModel
import StoreService

/// `/config`: a standalone gateway stores the config in its file. A replica forwards these requests to the remote, unless the
/// remote answers no calls.
struct ConfigRoute: Sendable {
    let store: any ObjectStore
    let responses: ResponseBuilder

    var routes: [Route] {
        let changing = RoutePolicy.remote(.result, .masterOnly).with {
            $0.forwarding.hasLocalAnswer = true
            $0.readOnlyKey = .nothing(action: "update the config")
        }
        return [
            Route(.get, "/config", "getConfig", .remote(.config).with { $0.forwarding.hasLocalAnswer = true }) {
                request in
                let config = try GlobalConfig(stored: store.config())
                return .now(responses.json(config.shown(to: request.principal)))
            },
            Route(.put, "/config", "updateConfig", changing, change),
        ]
    }

    /// - Throws: `ParseError` for an invalid body.
    private func change(_ request: RoutedRequest) throws -> RouteReply {
        let change = try GlobalConfig.Change(try request.parse.body.fields)
        return .later { [store, responses] in
            try await store.changeConfig { stored in
                var config = try GlobalConfig(stored: stored)
                try change.apply(to: &config)
                return config.text
            }
            return responses.json(["result": true])
        }
    }
}
