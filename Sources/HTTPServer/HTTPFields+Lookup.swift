import HTTPTypes

extension HTTPFields {
    /// The value of the first field of that name. `[name]` puts together all that there are, which takes several times as
    /// long (3% of a `GET` by id).
    package func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}
