extension String {
    /// The text with a full stop at its end.
    package var sentence: String { hasSuffix(".") ? self : self + "." }
}
