import HTTPTypes

extension HTTPFields {
    /// The value of the first field with this name; nil if there is none. Faster than the subscript `[name]`, which joins all
    /// fields of the name and took 3% of the time of a `GET` by id.
    package func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}
