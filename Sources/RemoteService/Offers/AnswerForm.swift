import ParseModel

/// What a Parse Server's successful answer to a call contains. The page of a network that asks its users to sign in, a cut answer and the
/// report of a database fault with status 200 do not have this form.
package struct AnswerForm: Sendable, Hashable {
    private enum Shape { case object, empty, list }

    private var shape = Shape.object
    /// The members that are texts of at least one character.
    private var texts: [String] = []
    /// The members that may have any value.
    private var members: [String] = []
    /// Whether an object without members is an answer, too.
    private var mayBeEmpty = false

    /// An object with any members. A Parse Server answers `{}` to a log-out.
    package static let object = AnswerForm()
    /// `{}`. A Parse Server answers it to a request for a mail.
    package static let empty = AnswerForm(shape: .empty)
    package static let list = AnswerForm(shape: .list)
    /// The rows of a class, or of another list.
    package static let results = AnswerForm(members: ["results"])
    package static let updated = AnswerForm(texts: ["updatedAt"])
    package static let config = AnswerForm(members: ["params"])
    package static let result = AnswerForm(members: ["result"])
    /// The answer of a function. That of a function without a value is `{}`.
    package static let function = AnswerForm(members: ["result"], mayBeEmpty: true)

    /// An object with texts, such as `objectId`.
    package static func texts(_ names: String...) -> AnswerForm { AnswerForm(texts: names) }

    /// The reason why a value is no answer of this form, as a phrase; nil if it is one.
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
