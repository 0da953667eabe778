import ParseModel
import SyncModel

/// An object as local clients see it.
package struct StoredObject: Sendable, Hashable {
    package let objectId: String
    /// The fields in Parse's JSON: `{"objectId":…,"createdAt":…,"updatedAt":…,…}`.
    package let json: [UInt8]
    package let state: SyncState
    /// Whether the remote has acknowledged the object's create, but does not show the object to this gateway.
    package let isHidden: Bool
    /// The version of all stored fields, including those that the reader may not read.
    package let contentMark: ContentMark

    package init(
        objectId: String, json: [UInt8], state: SyncState, isHidden: Bool = false, contentMark: ContentMark = .none
    ) {
        self.objectId = objectId
        self.json = json
        self.state = state
        self.isHidden = isHidden
        self.contentMark = contentMark
    }

    package var jsonText: String { String(decoding: json, as: UTF8.self) }

    /// Parses the fields.
    /// - Parameter className: the class, for the error.
    /// - Throws: `StoreError.damaged` if the JSON is unreadable.
    package func fields(of className: String) throws(StoreError) -> JSONObject {
        guard let fields = try? JSONReader.read(json, depthMax: JSONReader.storedDepthMax).object else {
            throw StoreError.damaged(className: className, objectId: objectId)
        }
        return fields
    }

    /// The object without the fields that the principal may not read. A store applies this to each object that it returns.
    /// - Throws: `StoreError.damaged` if fields must be removed and the JSON is unreadable.
    package func shown(by rules: AccessRules) throws(StoreError) -> StoredObject {
        guard !rules.hiddenFields.isEmpty else { return self }
        var fields = try fields(of: rules.className)
        let hidden = rules.hiddenFields(in: objectId) { fields }
        guard !hidden.isEmpty else { return self }
        fields.removeAll { hidden.contains($0) }
        return StoredObject(
            objectId: objectId, json: fields.jsonBytes, state: state, isHidden: isHidden, contentMark: contentMark)
    }
}
