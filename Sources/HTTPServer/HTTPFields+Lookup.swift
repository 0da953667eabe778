import HTTPTypes

extension HTTPField.Name {
    /// The package has no name for it, since clients of its own set it by the URL.
    package static let hostName = HTTPField.Name("Host")!
}

extension HTTPFields {
    /// The value of the first field of that name. `[name]` puts together all that there are, which takes several times as
    /// long (3% of a `GET` by id).
    package func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}
