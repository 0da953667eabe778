/// The text with which a command prints the link of the gateway's owner.
enum OwnerLinkText {
    static func text(_ link: String) -> String {
        "To work offline and to choose the classes in a browser, open this link once, within an hour:\n  \(link)"
    }
}
