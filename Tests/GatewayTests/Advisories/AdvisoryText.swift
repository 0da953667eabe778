/// Long texts of requests.
enum AdvisoryText {
    /// Conditions inside as many combinations.
    static func nested(_ name: String, levels: Int) -> String {
        let beginning = String(repeating: #"{"\#(name)":["#, count: levels)
        return beginning + #"{"n":7}"# + String(repeating: "]}", count: levels)
    }

    /// Conditions of which each combination has two equal halves.
    static func doubled(_ name: String, levels: Int) -> String {
        (0..<levels).reduce(#"{"n":7}"#) { inner, _ in #"{"\#(name)":[\#(inner),\#(inner)]}"# }
    }

    /// Subqueries inside each other.
    static func subqueries(levels: Int) -> String {
        (0..<levels).reduce(#"{"n":7}"#) { inner, _ in
            #"{"p":{"$inQuery":{"className":"Open","where":\#(inner)}}}"#
        }
    }
}
