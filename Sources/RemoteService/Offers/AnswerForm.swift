import ParseModel

/// The form of a Parse Server's successful answer to a call. Other answers with status 200 do not have it: the log-in
/// page of a public network, an answer that was cut off, or the report of a database fault.
package struct AnswerForm: Sendable, Hashable {
    private enum Shape { case object, empty, list }

    private var shape = Shape.object
    /// The members that must be texts of at least one character.
    private var texts: [String] = []
    /// The members that must exist, with any value.
    private var members: [String] = []
    /// Whether an object without members also has this form.
    private var mayBeEmpty = false

    /// An object with any members, also none. A Parse Server answers `{}` to a log-out.
    package static let object = AnswerForm()
    /// The empty object `{}`. A Parse Server answers it to a request for an e-mail.
    package static let empty = AnswerForm(shape: .empty)
    package static let list = AnswerForm(shape: .list)
    /// An object with the rows of a class, or with another list, in `results`.
    package static let results = AnswerForm(members: ["results"])
    package static let updated = AnswerForm(texts: ["updatedAt"])
    package static let config = AnswerForm(members: ["params"])
    package static let result = AnswerForm(members: ["result"])
    /// The answer of a cloud function: `{"result": …}`, or `{}` if the function returns no value.
    package static let function = AnswerForm(members: ["result"], mayBeEmpty: true)

    /// An object with the named members, such as `objectId`, as texts.
    package static func texts(_ names: String...) -> AnswerForm { AnswerForm(texts: names) }

    /// The reason why a value does not have this form, as a phrase; nil if the value has it.
    package func fault(of value: JSONValue) -> String? {
        if shape == .list { return value.array == nil ? "it is not a list" : nil }
        guard let object = value.object else { return "it is not an object" }
        if shape == .empty { return object.isEmpty ? nil : "it is not empty" }
        if mayBeEmpty, object.isEmpty { return nil }
        for name in texts where object[name]?.string?.isEmpty != false { return "it has no \(name)" }
        for name in members where object[name] == nil { return "it has no \(name)" }
        if texts.isEmpty, members.isEmpty, object["code"] != nil, object["error"] != nil { return "it is an error" }
        return nil
    }
}
