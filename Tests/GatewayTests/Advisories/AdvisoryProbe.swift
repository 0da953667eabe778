import ParseModel

/// A request that would exploit the vulnerability of an advisory, and the answer of a gateway without the
/// vulnerability.
struct AdvisoryProbe: Sendable, AdvisoryRequestMaking {
    let request: AdvisoryRequest
    /// The expected answer in each mode that is not in `answers`.
    let answer: AdvisoryAnswer
    /// The expected answers of single modes, which differ from `answer`. A probe from a table has an answer for each
    /// of its modes, and runs in no other mode.
    var answers: [AdvisoryMode: AdvisoryAnswer] = [:]
    /// Whether the probe runs only in the modes of `answers`, even if its advisory concerns more modes.
    private(set) var isLimited = false
    /// Members of the answer that later probes use: for each member, the name by which they refer to its value
    /// (`{name}`).
    let keeps: [String: String]

    init(request: AdvisoryRequest, answer: AdvisoryAnswer, keeps: [String: String]) {
        (self.request, self.answer, self.keeps) = (request, answer, keeps)
    }

    // MARK: Other answers of replicas

    /// Returns the probe with another expected answer in replicas.
    func replicas(_ statuses: Int..., code: Int? = nil, shows: [String] = [], hides: [String] = []) -> AdvisoryProbe {
        changed(in: AdvisoryMode.replicas, AdvisoryAnswer(statuses: statuses, code: code, shows: shows, hides: hides))
    }

    /// Returns the probe with another expected answer in some modes.
    func answers(
        in modes: [AdvisoryMode], _ statuses: Int..., code: Int? = nil, shows: [String] = [], hides: [String] = []
    ) -> AdvisoryProbe {
        changed(in: modes, AdvisoryAnswer(statuses: statuses, code: code, shows: shows, hides: hides))
    }

    /// The probe as a request that a replica forwards. The expected answer there is that of the fake remote.
    var forwarded: AdvisoryProbe { changed(in: AdvisoryMode.replicas, .ofRemote) }

    /// Returns the probe limited to these modes.
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

    /// The gateway to which a probe sends its request. The gateways differ in settings and share one store.
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
    ///   - statuses: the statuses that the answer may have.
    ///   - hides: texts that the answer does not have, besides the marker of hidden values.
    ///   - headers: the expected beginnings of header values, by name.
    ///   - keeps: members of the answer whose values later probes use by a name (`{name}`): the name by the member.
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

/// The answer that a probe expects: statuses, code, texts and headers.
struct AdvisoryAnswer: Sendable {
    var statuses: [Int]
    /// The expected error code; nil for any.
    var code: Int?
    var shows: [String] = []
    var hides: [String] = []
    /// The expected beginnings of header values, by the header's name.
    var headers: [String: String] = [:]

    /// Whether the fake remote must have received the request with the caller's session.
    var isForwarded = false

    /// The answer that the fake `AdvisoryRemote` gives to each call.
    static let ofRemote = AdvisoryAnswer(statuses: [200], shows: [AdvisoryRemote.mark], isForwarded: true)
}
