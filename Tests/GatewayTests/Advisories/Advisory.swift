/// A published security advisory of Parse Server, and the probes that show that the gateway does not have its
/// vulnerability.
struct Advisory: Sendable {
    /// The id of the advisory at GitHub, without `GHSA-`.
    let id: String
    let hole: String
    let standing: Standing

    enum Standing: Sendable {
        /// The probes of the advisory, and the modes of the gateway that need none, each with its reason.
        case probed([AdvisoryProbe], except: [AdvisoryMode: Exemption])
        /// The gateway lacks the feature that the advisory is about.
        case inapplicable(Absence)
    }

    /// The reason why a mode of the gateway needs no probe of an advisory.
    enum Exemption: String, Sendable {
        /// The remote answers these requests and decides about them. The gateway only passes them on.
        case forwarded
        /// The mode has no access rights: each client with the keys may read and write all objects.
        case noRights = "no rights"
        /// The user's database holds only objects that the remote shows to this user.
        case ownObjects = "own objects"
        /// A gateway in this mode does not have the data.
        case noData = "no such data"
    }

    /// A feature of Parse Server that the gateway lacks.
    enum Absence: String, Sendable, CaseIterable {
        case providers = "sign-in with providers"
        case graphQL = "GraphQL"
        case cloudCode = "cloud code, hooks and triggers"
        case oneTimeCodes = "one-time codes"
        case prototypes = "prototypes of JavaScript"
    }

    /// The modes of the gateway in which the probes of an advisory run.
    enum Reach: Sendable {
        /// All modes.
        case everywhere
        /// The modes that enforce rights: standalone and site.
        case rights
        /// Only standalone, because replicas forward the requests. Probes that state an answer for replicas also run
        /// in replicas.
        case accounts
        /// Only standalone, because no other mode has the data.
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

    /// The probes of the advisory that run in a mode.
    func probes(in mode: AdvisoryMode) -> [AdvisoryProbe] {
        guard case .probed(let probes, _) = standing else { return [] }
        return probes.filter { $0.answers[mode] != nil }
    }

    var absence: Absence? {
        if case .inapplicable(let absence) = standing { absence } else { nil }
    }
}

/// The modes in which a gateway runs.
enum AdvisoryMode: String, Sendable, CaseIterable {
    case standalone
    /// A replica without users, a personal replica and a site replica.
    case off, personal, site

    static let replicas: [AdvisoryMode] = [.off, .personal, .site]
}

/// The topics by which the tables group the advisories, each a part of the gateway.
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
