/// A part of `RemoteService` that a kind of remote may lack, such as files or schemas.
package enum RemoteOffer: String, Sendable, CaseIterable {
    case probe, files, relations, calls

    /// The optional parts that a remote lacks.
    package static func lacking(in remote: any RemoteService) -> [RemoteOffer] {
        allCases.filter { offer in
            switch offer {
            case .probe: remote.probe == nil
            case .files: remote.files == nil
            case .relations: remote.relations == nil
            case .calls: remote.calls == nil
            }
        }
    }

    /// The finding of `tidegate doctor` that a remote lacks this part.
    package var finding: RemoteFinding {
        let part =
            switch self {
            case .probe: "A check of the server is"
            case .files: "Files are"
            case .relations: "Members of relations are"
            case .calls: "Calls that only the remote can answer, such as cloud functions, are"
            }
        return RemoteFinding(rawValue, .noted, "\(part) not offered by this kind of remote.")
    }
}
