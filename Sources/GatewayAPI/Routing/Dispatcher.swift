import HTTPServer
import ParseModel

/// Runs a route's handler, or forwards the request to the remote.
struct Dispatcher: Sendable {
    let rules: ForwardingRules
    let forwarded: ForwardedCalls
    /// The check of request ids; nil if request ids are ignored.
    let requestIds: RequestIds?
    /// Lets requests wait for the first sync of a class; nil if this is not the API of a user's space.
    let firstReads: FirstReads?
    let errors: ErrorResponder
    /// Repeats requests about classes that the remote has not described yet; nil if this is not the API of a site replica.
    let descriptions: ClassDescriptions?

    /// - Throws: an error that refuses the request before anything is executed. Later errors become responses.
    func reply(to request: RoutedRequest) throws -> HTTPReply {
        try ReadOnlyRules.check(request)
        if try rules.isForwarded(request) {
            try rules.checkForwarded(request)
            return later(request) { [forwarded] in try await forwarded.answer(request) }
        }
        let policy = request.route.policy
        if policy.isOfSpace { try rules.checkNamedUser(request) }
        if request.hasSession, !rules.hasSessions, policy.isParse, policy.sessions == .used {
            throw rules.sessionRefusal
        }
        if let requestIds, let id = RequestIds.id(of: request) {
            return later(request) {
                // A request that is refused here can be sent again with its id.
                try await firstReads?.wait(for: request)
                try await requestIds.take(id)
                guard let descriptions else { return try await answer(request).response() }
                return try await descriptions.repeating { try await answer(request).response() }
            }
        }
        if let firstReads { return try reply(to: request, after: firstReads) }
        if let descriptions { return try reply(to: request, repeatedBy: descriptions) }
        switch try answer(request) {
        case .now(let response): return .now(response)
        case .later(let work): return later(request, work)
        }
    }

    /// Answers a request in the space of a user, after the first sync of the classes that the request reads.
    private func reply(to request: RoutedRequest, after firstReads: FirstReads) throws -> HTTPReply {
        let answerAfterWait = { @Sendable () async throws -> HTTPServerResponse in
            try await firstReads.wait(for: request)
            return try await firstReads.repeating { awaited in
                var request = request
                request.awaited = awaited
                return try await answer(request).response()
            }
        }
        guard !firstReads.mayConcern(request) else { return later(request, answerAfterWait) }
        do {
            switch try answer(request) {
            case .now(let response): return .now(response)
            case .later(let work):
                return later(request) {
                    do { return try await work() } catch is AwaitedClass { return try await answerAfterWait() }
                }
            }
        } catch is AwaitedClass {
            return later(request, answerAfterWait)
        }
    }

    /// Answers a request to a site replica. A refusal for a class that the remote has not described yet is asked about.
    private func reply(to request: RoutedRequest, repeatedBy descriptions: ClassDescriptions) throws -> HTTPReply {
        let answerAgain = { @Sendable (refusal: ParseError) async throws -> HTTPServerResponse in
            try await descriptions.repeating(after: refusal) { try await answer(request).response() }
        }
        do {
            switch try answer(request) {
            case .now(let response): return .now(response)
            case .later(let work):
                return later(request) {
                    do { return try await work() } catch let refusal as ParseError {
                        return try await answerAgain(refusal)
                    }
                }
            }
        } catch let refusal as ParseError where refusal.undescribedClass != nil {
            return later(request) { try await answerAgain(refusal) }
        }
    }

    private func answer(_ request: RoutedRequest) throws -> RouteReply {
        switch request.route.policy.access {
        case .masterOnly: try request.requireMaster()
        case .masterOnlyWithUsers: if try rules.hasUsers() { try request.requireMaster() }
        case .masterOnlyWithSpaces: if rules.hasSpaces { try request.requireMaster() }
        case .open, .keyed: break
        }
        return try request.route.handler(request)
    }

    private func later(
        _ request: RoutedRequest, _ work: @escaping @Sendable () async throws -> HTTPServerResponse
    ) -> HTTPReply {
        .later { [errors] in
            do {
                return try await work()
            } catch {
                return errors.response(to: error, request.http)
            }
        }
    }
}
