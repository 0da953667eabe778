import ParseModel
import StoreService

/// Checks the objects and files that a write to a user's space in a personal replica names, if only the gateway's own store has them
/// because they were made without a session.
///
/// Such an object is refused: the space could not translate its id when the remote gives it another one. Such a file becomes a file of
/// the user, because some SDKs (PHP) upload without the session under which they then save the object.
struct ForeignNames: Sendable {
    let spaces: any UserSpaces
    /// The files of the space.
    let files: any FileStore

    /// Refuses objects that were created without a session, and adds files that were uploaded without one to the space.
    /// - Throws: `ParseError` 119 (operation forbidden) for an object; `StoreError` if a file cannot be added.
    func check(_ write: WriteRequest, as principal: Principal) async throws {
        guard let body = write.body, body.contains(where: { $0.value.object != nil || $0.value.array != nil }) else {
            return
        }
        let value = JSONValue.object(body)
        for pointer in value.pointers where try spaces.isOnlyOfGateway(pointer) {
            throw ParseError(
                .operationForbidden,
                "The object \(pointer.objectId) of \(pointer.className) was created without this session: use its id on the remote."
            )
        }
        for file in value.files where try files.file(file.name, as: principal) == nil {
            guard let unsent = try spaces.unsentFile(file.name) else { continue }
            try await add(unsent, as: principal)
        }
    }

    private func add(_ file: UnsentFile, as principal: Principal) async throws {
        let draft = try files.draft()
        try file.content.withUnsafeBytes { try draft.write($0) }
        do {
            _ = try await files.addFile(
                draft, name: file.file.name, contentType: file.file.contentType ?? ContentType.unknown,
                details: file.file.details, as: principal)
        } catch {
            // Another write of the user may have added the file in the meantime.
            guard try files.file(file.file.name, as: principal) != nil else { throw error }
        }
    }
}

extension WriteRequest {
    fileprivate var body: JSONObject? {
        switch self {
        case .create(_, let body, _), .update(_, _, let body, _): body
        case .delete: nil
        }
    }
}
