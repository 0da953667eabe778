import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// Records sign-ins, refused sign-ins and changes with the master key, from the answers to requests.
struct AuditStage: Sendable {
    let trail: any AuditTrail

    /// - Parameter response: the response before it is compressed.
    func note(_ response: HTTPServerResponse, _ exchange: Exchange) {
        guard let route = exchange.route else { return }
        let client = exchange.request.peer
        if exchange.principal.writesEverything, route.method != .get {
            trail.note(
                .masterKeyUsed(
                    method: route.method.rawValue, path: exchange.loggedPath, status: response.status.code,
                    client: client))
        }
        noteSignIn(response, route, client: client)
    }

    /// Records the items of a batch with the master key that may have changed something.
    /// - Parameters:
    ///   - calls: the method and the path of each item.
    ///   - codes: the error code of each item; nil for a success.
    func note(
        _ calls: [(method: RequestMethod, path: RoutePath)], of batch: RoutedRequest, codes: @autoclosure () -> [Int?]
    ) {
        guard batch.principal.writesEverything else { return }
        for (call, code) in zip(calls, codes()) where call.method != .get {
            let path = "/" + call.path.segments.joined(separator: "/")
            trail.note(
                .masterKeyUsedInBatch(
                    method: call.method.rawValue, path: path, code: code, client: batch.http.peer))
        }
    }

    /// Records a sign-in or a refused sign-in, of a request or of an item of a batch.
    func noteSignIn(_ response: HTTPServerResponse, _ route: Route, client: IPAddress) {
        guard let signIn = route.policy.signIn, signIn != .passwordTest else { return }
        let fields = try? JSONReader.read(response.body).object
        if response.status.kind == .successful {
            // The sign-up of a user by the master key opens no session.
            guard fields?["sessionToken"] != nil else { return }
            trail.note(
                .signIn(
                    userId: fields?["objectId"]?.string, client: client,
                    isOffline: response.headers.contains(.tidegateOffline)))
        } else if response.status.kind == .clientError {
            trail.note(.signInRefused(code: fields?["code"]?.int, client: client))
        }
    }
}
