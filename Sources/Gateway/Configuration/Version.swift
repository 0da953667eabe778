/// The program version in `--version`, `/serverInfo`, the metrics and the packages. The changelog and `openapi.yaml` name it too.
package enum Version {
    package static let text = "0.2.0"
}
