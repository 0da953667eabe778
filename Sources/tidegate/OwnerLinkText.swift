/// The text with which a command prints the link to a browser session for the person who runs the gateway.
enum OwnerLinkText {
    static let purpose = "To work offline and to choose the classes in a browser, open this link once, within an hour"

    static func text(_ link: String) -> String { "\(purpose):\n  \(link)" }
}
