import Foundation
import ParseRemote

/// A real Parse Server to run the contract against. `TIDEGATE_CONTRACT_REMOTE` gives its URL and further values,
/// separated by spaces: `https://host/parse appId=… restKey=… masterKey=…`.
struct OwnServer {
    static let variable = "TIDEGATE_CONTRACT_REMOTE"

    let configuration: ParseRemote.Configuration

    static var isGiven: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// The error in `TIDEGATE_CONTRACT_REMOTE`. The reason omits its text, which contains keys.
    struct Malformed: Error { let reason: String }

    init() throws(Malformed) {
        try self.init(ProcessInfo.processInfo.environment[Self.variable] ?? "")
    }

    init(_ text: String) throws(Malformed) {
        let words = text.split(separator: " ")
        guard let url = words.first, url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw Malformed(reason: "\(Self.variable) must begin with the server's address")
        }
        var settings: [Substring: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, ["appId", "restKey", "masterKey"].contains(parts[0]) else {
                throw Malformed(reason: "behind the address stand appId=…, restKey=… and masterKey=… only")
            }
            settings[parts[0]] = String(parts[1])
        }
        guard let applicationId = settings["appId"] else { throw Malformed(reason: "appId=… is missing") }
        configuration = ParseRemote.Configuration(
            serverURL: String(url), applicationId: applicationId, restKey: settings["restKey"],
            masterKey: settings["masterKey"], replicaId: "contract")
    }
}
