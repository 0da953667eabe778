/// A published advisory of Parse Server, and how the tests show that its hole is closed here.
struct Advisory: Sendable {
    /// The id at GitHub, without `GHSA-`.
    let id: String
    let hole: String
    let standing: Standing

    enum Standing: Sendable {
        /// The probes, and the modes without a probe, each with the reason.
        case probed([AdvisoryProbe], except: [AdvisoryMode: Exemption])
        /// The gateway has nothing that the advisory could concern.
        case inapplicable(Absence)
    }

    /// Why a mode needs no probe of an advisory.
    enum Exemption: String, Sendable {
        /// The remote answers these requests and decides about them. The gateway only passes them on.
        case forwarded
        /// Each client with the keys reads and writes all objects.
        case noRights = "no rights"
        /// The file of a user has only objects that the remote shows to this user.
        case ownObjects = "own objects"
        /// The gateway has no such data.
        case noData = "no such data"
    }

    /// A part of Parse Server that the gateway lacks.
    enum Absence: String, Sendable, CaseIterable {
        case providers = "sign-in with providers"
        case graphQL = "GraphQL"
        case cloudCode = "cloud code, hooks and triggers"
        case oneTimeCodes = "one-time codes"
        case prototypes = "prototypes of JavaScript"
    }

    /// The modes in which the probes run.
    enum Reach: Sendable {
        /// All modes.
        case everywhere
        /// The modes that enforce rights: standalone and site.
        case rights
        /// Standalone, because replicas forward the requests. A replica has the probes with an answer of its own for replicas.
        case accounts
        /// Standalone, because only a standalone gateway has the data.
        case standalone

        fileprivate func exemption(_ mode: AdvisoryMode) -> Exemption? {
            switch (self, mode) {
            case (.everywhere, _), (_, .standalone), (.rights, .site): nil
            case (.rights, .off): .noRights
            case (.rights, .personal): .ownObjects
            case (.accounts, _): .forwarded
            case (.standalone, _): .noData
            }
        }
    }

    init(_ id: String, _ hole: String, _ reach: Reach, _ probes: AdvisoryProbe...) {
        self.init(id, hole, reach, all: probes)
    }

    init(_ id: String, _ hole: String, _ reach: Reach, all probes: [AdvisoryProbe]) {
        (self.id, self.hole) = (id, hole)
        var (answered, exemptions) = (probes, [AdvisoryMode: Exemption]())
        for mode in AdvisoryMode.allCases {
            let exemption = reach.exemption(mode)
            if exemption == nil {
                for index in answered.indices where answered[index].answers[mode] == nil && !answered[index].isLimited {
                    answered[index].answers[mode] = answered[index].answer
                }
            }
            if !answered.contains(where: { $0.answers[mode] != nil }) { exemptions[mode] = exemption }
        }
        standing = .probed(answered, except: exemptions)
    }

    init(_ id: String, _ hole: String, lacking absence: Absence) {
        (self.id, self.hole) = (id, hole)
        standing = .inapplicable(absence)
    }

    /// The probes that run in a mode.
    func probes(in mode: AdvisoryMode) -> [AdvisoryProbe] {
        guard case .probed(let probes, _) = standing else { return [] }
        return probes.filter { $0.answers[mode] != nil }
    }

    var absence: Absence? {
        if case .inapplicable(let absence) = standing { absence } else { nil }
    }
}

/// The ways in which a gateway runs.
enum AdvisoryMode: String, Sendable, CaseIterable {
    case standalone
    /// A replica without users, and with each kind of users.
    case off, personal, site

    static let replicas: [AdvisoryMode] = [.off, .personal, .site]
}

/// The tables of advisories, by the part of the gateway that they concern.
enum AdvisoryTopic: String, Sendable, CaseIterable {
    case fields, feed, classes, sessions, signIn, fileNames, fileTypes, loads, names, requests, absent

    var advisories: [Advisory] {
        switch self {
        case .fields: Advisory.aboutFields
        case .feed: Advisory.aboutFeed
        case .classes: Advisory.aboutClasses
        case .sessions: Advisory.aboutSessions
        case .signIn: Advisory.aboutSignIn
        case .fileNames: Advisory.aboutFileNames
        case .fileTypes: Advisory.aboutFileTypes
        case .loads: Advisory.aboutLoads
        case .names: Advisory.aboutNames
        case .requests: Advisory.aboutRequests
        case .absent: Advisory.withoutCounterpart
        }
    }

    static var allAdvisories: [Advisory] { allCases.flatMap(\.advisories) }
}
