/// The program's version, as `--version`, `/serverInfo` and the changelog have it.
package enum Version {
    package static let text = "0.1.0"
}
