import ParseModel
import StoreService

/// Refuses writes in the space of a user that name an object or a file which only the gateway's own data has: it was made without a session.
/// The space could not translate the name when the remote gives another one, and the reference would lead nowhere.
struct ForeignNames: Sendable {
    let spaces: any UserSpaces

    /// - Throws: `ParseError` 119 (operation forbidden).
    func check(_ write: WriteRequest) throws {
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
        for file in value.files where try spaces.isOnlyOfGateway(file) {
            throw ParseError(
                .operationForbidden,
                "The file \(file.name) was uploaded without this session and is not on the remote yet: upload it again."
            )
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
