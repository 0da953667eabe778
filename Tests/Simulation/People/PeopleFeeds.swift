import ParseModel
import Synchronization

/// Clients' copies of the objects that users may read, each built from the change feed alone.
final class PeopleFeeds: Sendable {
    struct Copy: Sendable {
        /// The position in the feed, as the API returned it.
        var position: String
        /// The objects by `Class/objectId`.
        var objects: [String: JSONObject] = [:]
    }

    /// The copies, by `replica/userId`.
    private let copies = Mutex<[String: Copy]>([:])

    private static let pagesMax = 100

    func copy(of place: PeopleUsers.Client) -> Copy? { copies.withLock { $0[Self.key(place)] } }

    private static func key(_ place: PeopleUsers.Client) -> String { "\(place.replica.name)/\(place.userId)" }

    /// Reads the changes since the copy's position. Without a position, or if the feed refuses the position, reads all
    /// objects.
    /// - Returns: whether the copy is complete.
    @discardableResult
    func follow(at place: PeopleUsers.Client, _ token: String, _ users: PeopleUsers) async -> Bool {
        let key = Self.key(place)
        for _ in 0..<Self.pagesMax {
            guard let copy = copies.withLock({ $0[key] }) else { return await begin(at: place, token, users) }
            let check = ReadCheck(replica: place.replica, server: users.server, beliefs: place.beliefs)
            let request = PeopleReplica.Request(
                path: "/changes", query: "since=\(copy.position)&limit=20&classes=\(Self.classes)", token: token)
            let answer = await users.send(request, at: place) { answer in
                for (className, object) in Self.entries(of: answer) {
                    check.check([object], of: className, to: place.userId)
                }
            }
            guard let answer else { return false }
            if answer.status == 410 {
                copies.withLock { $0[key] = nil }
                continue
            }
            guard answer.isSuccess, let next = Self.position(in: answer) else { return false }
            let results = answer.json?["results"]?.array ?? []
            copies.withLock { copies in
                copies[key]?.position = next
                for entry in results.compactMap(\.object) {
                    copies[key]?.objects[Self.name(of: entry)] = entry["object"]?.object
                }
            }
            if results.isEmpty { return true }
        }
        return false
    }

    private static let classes = PeopleServer.classes.joined(separator: ",")

    /// Reads the position of the end of the feed, then all objects.
    private func begin(at place: PeopleUsers.Client, _ token: String, _ users: PeopleUsers) async -> Bool {
        let answer = await users.send(.init(path: "/changes", query: "since=latest", token: token), at: place)
        guard let answer, answer.isSuccess, let position = Self.position(in: answer) else { return false }
        var copy = Copy(position: position)
        for className in PeopleServer.classes {
            guard let objects = await users.listIfAnswered(className, at: place, token, isPlain: true) else {
                return false
            }
            for object in objects { copy.objects["\(className)/\(object["objectId"]?.string ?? "")"] = object }
        }
        copies.withLock { [copy] in $0[Self.key(place)] = copy }
        return true
    }

    /// Reads the feed from a position that another user's data has given. The replica must refuse the position.
    func useForeignPosition(at place: PeopleUsers.Client, _ token: String, _ users: PeopleUsers) async {
        let positions = copies.withLock { $0 }.filter {
            $0.key.hasPrefix(place.replica.name + "/") && $0.key != Self.key(place)
        }
        guard place.replica.product.hasFeedsOfUsers,
            let position = positions.min(by: { $0.key < $1.key })?.value.position
        else { return }
        await users.send(.init(path: "/changes", query: "since=\(position)", token: token), at: place) { answer in
            if answer.isSuccess { place.beliefs.addFinding("\(place.userId) goes on at \(position) of another space") }
        }
    }

    private static func entries(of answer: PeopleReplica.Answer) -> [(className: String, object: JSONObject)] {
        guard answer.isSuccess else { return [] }
        return (answer.json?["results"]?.array ?? []).compactMap(\.object).compactMap { entry in
            guard let className = entry["className"]?.string, let object = entry["object"]?.object else { return nil }
            return (className, object)
        }
    }

    private static func name(of entry: JSONObject) -> String {
        "\(entry["className"]?.string ?? "")/\(entry["objectId"]?.string ?? "")"
    }

    private static func position(in answer: PeopleReplica.Answer) -> String? {
        answer.json?["next"].flatMap { $0.string ?? $0.int.map(String.init) }
    }
}
