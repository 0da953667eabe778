import ParseModel
import StoreService

/// Changes that somebody makes on the server directly, not through a replica.
extension PeopleWorld {
    /// Changes a user, a role or an object.
    func changeServer(_ userId: String) async throws {
        switch random.below(16) {
        case 0, 1:
            guard let token = random.pick(users.tokens(of: userId)) else { return }
            trace.note("the server revokes \(token.suffix(6)) of \(userId)")
            try await server.revoke(token)
        case 2, 3:
            guard server.user(userId)?.isDeleted == false else { return }
            trace.note("the password of \(userId) changes")
            try await server.changePassword(of: userId)
        case 4, 5, 6: try await changeRoles(of: userId)
        case 7, 8: try await changeLock(of: userId)
        default: try await changeObject()
        }
    }

    private func changeRoles(of userId: String) async throws {
        if random.chance(0.3) {
            trace.note("the role night begins or ends")
            if server.hasRole("night") {
                try await server.dropRole("night")
            } else {
                try await server.createRole("night")
            }
        } else {
            let operation = random.chance(0.5) ? "AddRelation" : "RemoveRelation"
            let role = random.pick(PeopleServer.roles) ?? "staff"
            trace.note("\(operation) \(userId) to \(role)")
            try await server.changeRole(role, operation, userId)
        }
    }

    /// Locks a user out, unlocks the user, or deletes the user on the server.
    private func changeLock(of userId: String) async throws {
        guard let user = server.user(userId), !user.isDeleted else { return }
        if random.chance(0.15), server.users.count(where: { !$0.isDeleted }) > 2 {
            trace.note("\(userId) is deleted")
            try await server.delete(userId: userId)
        } else {
            trace.note("\(userId) is \(user.isLocked ? "no longer " : "")locked out")
            try await server.setLocked(!user.isLocked, userId)
        }
    }

    private func changeObject() async throws {
        let className = random.pick(PeopleServer.classes) ?? "Note"
        // Prefers the object that was changed last: a replica may have sent an edit of this object and not pulled it
        // since.
        let query = try ParseQuery(parameters: ["order": "-updatedAt", "limit": 1000])
        let objects = try server.store.objects.find(className, query, as: .master).objects
        guard let object = random.chance(0.4) ? objects.first : random.pick(objects) else { return }
        let request: WriteRequest
        switch random.below(10) {
        case 0: request = .delete(className: className, objectId: object.objectId)
        case 1, 2, 3:
            let value = JSONValue.string("v\(time.nowMs)-server")
            request = .update(className: className, objectId: object.objectId, body: ["a": value])
        default:
            let acl = users.randomACL(of: nil) ?? ["*": ["read": true, "write": true]]
            request = .update(className: className, objectId: object.objectId, body: ["ACL": acl])
        }
        trace.note("the server changes \(className) \(object.objectId)")
        try await server.write(request)
    }
}
