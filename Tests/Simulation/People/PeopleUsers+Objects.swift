import Foundation
import ParseModel

/// The objects and files that the users read, create, change and delete.
extension PeopleUsers {
    /// Lists a class, and checks the answer.
    /// - Returns: the shown objects; empty if the session has ended.
    @discardableResult
    func list(_ className: String, at place: Client, _ token: String) async -> [JSONObject] {
        await listIfAnswered(className, at: place, token) ?? []
    }

    /// Lists a class, and checks the answer.
    /// - Parameter isPlain: whether the objects include no other objects.
    /// - Returns: nil if the list is refused or not answered.
    func listIfAnswered(
        _ className: String, at place: Client, _ token: String, isPlain: Bool = false
    ) async -> [JSONObject]? {
        let check = ReadCheck(replica: place.replica, server: server, beliefs: place.beliefs)
        let include = className == "Note" && !isPlain ? "&include=\(ServerHistory.pointerField)" : ""
        let answer = await send(
            .init(path: "/classes/\(className)", query: "limit=1000&order=title\(include)", token: token), at: place
        ) { check.check($0, of: className, to: place.userId, isWholeList: true) }
        return answer?.json?["results"]?.array?.compactMap(\.object)
    }

    /// The objects of a class in the copy that a client keeps from the change feed; nil if the feed cannot be read.
    func followed(_ className: String, at place: Client, _ token: String) async -> [JSONObject]? {
        guard await feeds.follow(at: place, token, self) else { return nil }
        return feeds.copy(of: place)?.objects.filter { $0.key.hasPrefix(className + "/") }.map(\.value)
    }

    func read(at place: Client, _ token: String?) async {
        guard let token else { return }
        let className = random.pick(PeopleServer.classes) ?? "Note"
        let objects = await list(className, at: place, token)
        guard let id = random.pick(objects)?["objectId"]?.string ?? randomId(className) else { return }
        let check = ReadCheck(replica: place.replica, server: server, beliefs: place.beliefs)
        let query = className == "Note" ? "include=\(ServerHistory.pointerField)" : nil
        await send(.init(path: "/classes/\(className)/\(id)", query: query, token: token), at: place) {
            check.check($0, of: className, to: place.userId, isWholeList: false)
        }
    }

    /// The id of a random object of the server. The user may not be allowed to read it.
    private func randomId(_ className: String) -> String? {
        random.pick((try? server.store.objects.find(className, ParseQuery(limit: 1000), as: .master).objects) ?? [])?
            .objectId
    }

    func create(at place: Client, _ token: String?) async {
        guard let token else { return }
        let className = random.chance(0.6) ? "Note" : "Place"
        let (title, value) = (next("t", place.userId), next("v", place.userId))
        var body: JSONObject = ["title": .string(title), "a": .string(value)]
        if let acl = randomACL(of: place.userId) { body["ACL"] = acl }
        if className == "Note", random.chance(0.8),
            let target = random.pick(await list("Place", at: place, token))?["objectId"]?.string
        {
            body[ServerHistory.pointerField] = Pointer(className: "Place", objectId: target).json
        }
        if fileRandom.chance(fileShare) { body[ServerHistory.fileField] = await upload(title, at: place, token) }
        let answer = await send(
            .init(method: .post, path: "/classes/\(className)", body: body, token: token), at: place)
        if answer?.status == 201 { noteWrite(title, "a", value, at: place) }
    }

    /// Uploads a file, as the JavaScript SDK does. At times the upload has no session, as that of the PHP SDK.
    /// - Returns: the value for an object; nil if the upload has failed.
    private func upload(_ text: String, at place: Client, _ token: String) async -> JSONValue? {
        let body: JSONObject = [
            "base64": .string(Data(text.utf8).base64EncodedString()), "_ContentType": "text/plain",
        ]
        let sender = fileRandom.chance(0.2) ? nil : token
        let answer = await send(.init(method: .post, path: "/files/text.txt", body: body, token: sender), at: place)
        guard answer?.status == 201, let name = answer?.json?["name"] else { return nil }
        return ["__type": "File", "name": name, "url": answer?.json?["url"] ?? .null]
    }

    func change(at place: Client, _ token: String?) async {
        guard let token else { return }
        let className = random.chance(0.7) ? "Note" : "Place"
        guard let object = random.pick(await list(className, at: place, token)),
            let id = object["objectId"]?.string, let title = object["title"]?.string
        else { return }
        let path = "/classes/\(className)/\(id)"
        if random.chance(0.12) {
            let answer = await send(.init(method: .delete, path: path, token: token), at: place)
            guard answer == nil || answer?.status == 200 || answer?.status == 500 else { return }
            return noteDeletion(of: title, at: place)
        }
        let (field, value) = (random.chance(0.7) ? "a" : "b", next("v", place.userId))
        var body: JSONObject = [field: .string(value)]
        if random.chance(0.1), let acl = randomACL(of: place.userId) { body["ACL"] = acl }
        let answer = await send(.init(method: .put, path: path, body: body, token: token), at: place)
        if answer == nil || answer?.status == 200 || answer?.status == 500 {
            noteWrite(title, field, value, at: place, isAcknowledged: answer?.status == 200)
        }
    }

    /// A random ACL for a new or changed object; nil for none.
    /// - Parameter userId: the user to whom the ACL gives all rights; nil for a random one.
    func randomACL(of userId: String?) -> JSONValue? {
        var acl = JSONObject()
        switch random.below(8) {
        case 0, 1: return nil
        case 2, 3: break
        case 4: acl["*"] = ["read": true]
        case 5, 6: acl["role:staff"] = ["read": true, "write": true]
        default: acl["role:night"] = ["read": true]
        }
        if let id = userId ?? random.pick(server.users)?.id { acl[id] = ["read": true, "write": true] }
        return .object(acl)
    }
}
