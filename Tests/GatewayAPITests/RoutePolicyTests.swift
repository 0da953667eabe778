import GatewayAPI
import Testing

/// Checks that every route demands the keys and sessions of its `RoutePolicy`.
@Suite struct RoutePolicyTests {
    private func line(_ route: Route) -> String {
        let path = route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? "x" : $0 }.joined(separator: "/")
        return "\(route.method.rawValue) /\(path)"
    }

    @Test func onlyOpenRoutesAnswerWithoutTheAccessKey() async {
        let gateway = Gateway.make { $0.accessKey = "secret" }
        for route in gateway.api.table.routes {
            let isRefused = await gateway.send(line(route)).text == #"{"error":"unauthorized"}"#
            #expect(isRefused == (route.policy.access != .open), "\(route.name)")
        }
    }

    @Test func masterOnlyRoutesRefuseOtherClients() async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
        let routes = gateway.api.table.routes.filter { $0.policy.access == .masterOnly }
        #expect(routes.contains { $0.name == "updateConfig" })
        for route in routes {
            let answer = await gateway.send(line(route))
            #expect(answer.status == 403, "\(route.name)")
            #expect(answer.text == #"{"error":"unauthorized: master key is required"}"#, "\(route.name)")
        }
    }

    @Test func onlyRoutesOfParseServerUseSessionTokens() async {
        let gateway = Gateway.make()
        let refusal = #"{"code":209,"error":"Invalid session token"}"#
        // An upload reads its content before the session is checked, and this store accepts no files.
        let others = ["logIn", "logInByQuery", "batch", "uploadFile"]
        for route in gateway.api.table.routes where !others.contains(route.name) {
            let answer = await gateway.send(line(route), ["X-Parse-Session-Token": "r:1"])
            #expect((answer.text == refusal) == route.policy.isParse, "\(route.name)")
        }
    }
}
