/// The program version in `--version`, `/serverInfo` and the changelog.
package enum Version {
    package static let text = "0.2.0"
}
