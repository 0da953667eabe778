/// Long texts of requests.
enum AdvisoryText {
    /// A condition nested in this many levels of `$or`, `$and` or `$nor`.
    static func nested(_ name: String, levels: Int) -> String {
        let beginning = String(repeating: #"{"\#(name)":["#, count: levels)
        return beginning + #"{"n":7}"# + String(repeating: "]}", count: levels)
    }

    /// A nested condition in which each level contains the next one twice, so the size doubles with each level.
    static func doubled(_ name: String, levels: Int) -> String {
        (0..<levels).reduce(#"{"n":7}"#) { inner, _ in #"{"\#(name)":[\#(inner),\#(inner)]}"# }
    }

    /// Subqueries nested in this many levels.
    static func subqueries(levels: Int) -> String {
        (0..<levels).reduce(#"{"n":7}"#) { inner, _ in
            #"{"p":{"$inQuery":{"className":"Open","where":\#(inner)}}}"#
        }
    }
}
