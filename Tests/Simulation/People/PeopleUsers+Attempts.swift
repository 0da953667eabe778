import ParseModel

/// Requests that users are not allowed to make. Each must be refused.
extension PeopleUsers {
    /// A user of a site tries to create or rename a role, often with the name of a role of the server.
    func claimRole(at place: Client, _ token: String?) async {
        guard let token, place.replica.product.hasRolesOfUsers else { return }
        let name = random.chance(0.5) ? PeopleServer.lastingRole : "own-\(place.userId)"
        if random.chance(0.3), let id = random.pick(await list("_Role", at: place, token))?["objectId"]?.string {
            await send(
                .init(method: .put, path: "/roles/\(id)", body: ["name": .string(name)], token: token), at: place)
            return
        }
        let user = Pointer(className: "_User", objectId: place.userId)
        let body: JSONObject = [
            "name": .string(name), "ACL": [place.userId: ["read": true, "write": true]],
            "users": ["__op": "AddRelation", "objects": [user.json]],
        ]
        await send(.init(method: .post, path: "/roles", body: body, token: token), at: place)
    }

    /// A user tries to log out in a batch together with other items.
    func logOutInBatch(at place: Client, _ token: String) async {
        let items: JSONValue = [
            ["method": "POST", "path": "/logout"], ["method": "GET", "path": "/classes/Note"],
            ["method": "POST", "path": "/classes/Note", "body": ["title": "after a log-out"]],
        ]
        let answer = await send(
            .init(method: .post, path: "/batch", body: ["requests": items], token: token), at: place)
        guard answer?.status == 200, let results = answer?.body?.array, results.count == 3 else { return }
        let succeeded = results.map { $0.object?["success"] != nil }
        if succeeded[0] { place.beliefs.noteLogOut(token) }
        if succeeded[0], succeeded[1] || succeeded[2] {
            place.beliefs.addFinding("a batch of \(place.userId) goes on after its log-out")
        }
    }
}
