// swift-tools-version: 6.2
import PackageDescription

/// The layers of the program: a target may depend only on targets of a lower level.
/// `Tests/ArchitectureTests` reads the imports and fails when one points up or sideways.

let package = Package(
    name: "tidegate",
    platforms: [.macOS(.v15)],
    targets: [
        // Level 0
        .target(name: "ParseModel"),
        // Tests
        .testTarget(name: "ParseModelTests", dependencies: ["ParseModel"]),
    ],
    swiftLanguageModes: [.v6]
)
