import ParseModel

/// The objectId that a client chooses for a new object.
package enum ChosenId {
    /// Refuses a chosen id, except an empty one, as Parse Server does without `allowCustomObjectId`.
    /// - Throws: `ParseError` 105 (invalid field name).
    package static func refuse(in body: JSONObject) throws(ParseError) {
        for name in ["objectId", "id"] where body[name]?.isTruthy == true {
            throw ParseError(.invalidFieldName, "\(name) is an invalid field name.")
        }
    }
}
