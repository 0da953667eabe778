import ParseModel

/// A request that would show the hole of an advisory, and the answer that shows that it is closed.
struct AdvisoryProbe: Sendable, AdvisoryRequestMaking {
    let request: AdvisoryRequest
    /// The answer in each mode that has no answer of its own.
    let answer: AdvisoryAnswer
    /// The answers by mode. A probe of a table has all of its modes, and runs in no other one.
    var answers: [AdvisoryMode: AdvisoryAnswer] = [:]
    /// Whether the probe runs only in the modes of `answers`, although its advisory reaches further ones.
    private(set) var isLimited = false
    /// The members of the answer that later probes name: the name in `{…}` by the member.
    let keeps: [String: String]

    init(request: AdvisoryRequest, answer: AdvisoryAnswer, keeps: [String: String]) {
        (self.request, self.answer, self.keeps) = (request, answer, keeps)
    }

    // MARK: Other answers of replicas

    /// The probe with another answer in replicas.
    func replicas(_ statuses: Int..., code: Int? = nil, shows: [String] = [], hides: [String] = []) -> AdvisoryProbe {
        changed(in: AdvisoryMode.replicas, AdvisoryAnswer(statuses: statuses, code: code, shows: shows, hides: hides))
    }

    /// The probe with another answer in some modes.
    func answers(
        in modes: [AdvisoryMode], _ statuses: Int..., code: Int? = nil, shows: [String] = [], hides: [String] = []
    ) -> AdvisoryProbe {
        changed(in: modes, AdvisoryAnswer(statuses: statuses, code: code, shows: shows, hides: hides))
    }

    /// The probe, which a replica forwards to its remote. The remote decides.
    var forwarded: AdvisoryProbe { changed(in: AdvisoryMode.replicas, .ofRemote) }

    /// The probe in these modes only.
    func only(_ modes: AdvisoryMode...) -> AdvisoryProbe {
        var probe = changed(in: modes, answer)
        probe.isLimited = true
        return probe
    }

    private func changed(in modes: [AdvisoryMode], _ answer: AdvisoryAnswer) -> AdvisoryProbe {
        var probe = self
        for mode in modes { probe.answers[mode] = answer }
        return probe
    }
}

/// The request of a probe. `{name}` in the path and in the body stands for a value of `AdvisoryWorld`, for example the id of an object.
struct AdvisoryRequest: Sendable, AdvisoryRequestMaking {
    enum Caller: String, Sendable { case everybody, ada, eve, rob, nina, master, readOnly }

    /// The gateway that gets the request. All use one store.
    enum Door: Sendable {
        case usual
        /// A gateway that accepts only one application id.
        case withApplicationId
        /// A gateway that locks a user out after three failed log-ins.
        case withLockout
        /// A gateway whose clients choose the ids of new objects.
        case withChosenIds
    }

    let method: String
    let path: String
    /// The JSON text of the parameter `where`; nil for none.
    var conditions: String?
    var body: String?
    var caller = Caller.eve
    var door = Door.usual
    var headers: [String: String] = [:]

    init(method: String, path: String, conditions: String? = nil, body: String? = nil) {
        (self.method, self.path, self.conditions, self.body) = (method, path, conditions, body)
    }

    func by(_ caller: Caller) -> AdvisoryRequest {
        var request = self
        request.caller = caller
        return request
    }

    func to(_ door: Door) -> AdvisoryRequest {
        var request = self
        request.door = door
        return request
    }

    func with(_ headers: [String: String]) -> AdvisoryRequest {
        var request = self
        request.headers.merge(headers) { $1 }
        return request
    }

    /// - Parameters:
    ///   - statuses: the answer has one of them.
    ///   - hides: texts that the answer does not have, besides the marker of hidden values.
    ///   - headers: the beginnings of headers.
    ///   - keeps: the members of the answer that later probes name: the name in `{…}` by the member.
    func gives(
        _ statuses: Int..., code: Int? = nil, shows: [String] = [], hides: [String] = [],
        headers: [String: String] = [:], keeps: [String: String] = [:]
    ) -> AdvisoryProbe {
        AdvisoryProbe(
            request: self,
            answer: AdvisoryAnswer(statuses: statuses, code: code, shows: shows, hides: hides, headers: headers),
            keeps: keeps)
    }
}

/// The answer that a probe expects.
struct AdvisoryAnswer: Sendable {
    var statuses: [Int]
    /// The member `code` of the answer; nil for any.
    var code: Int?
    var shows: [String] = []
    var hides: [String] = []
    /// The beginnings of headers by name.
    var headers: [String: String] = [:]

    /// Whether the remote has received the request with the session of its caller.
    var isForwarded = false

    /// The answer of `AdvisoryRemote`.
    static let ofRemote = AdvisoryAnswer(statuses: [200], shows: [AdvisoryRemote.mark], isForwarded: true)
}
