// swift-tools-version: 6.2
import PackageDescription

/// The layers of the program. A target may depend only on targets of lower levels; `Tests/ArchitectureTests` checks the
/// imports.
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// libcrypt verifies the bcrypt hashes of imported users. The crypt function of macOS does not know bcrypt.
#if os(Linux)
    let cryptTargets: [Target] = [
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])])
    ]
    let crypt: [Target.Dependency] = ["CCrypt"]
#else
    let cryptTargets: [Target] = []
    let crypt: [Target.Dependency] = []
#endif

/// Debian's package of wslay has no pkg-config file, and its directories are those that the compiler searches anyway. On macOS the
/// pkg-config file of Homebrew says where the library is.
#if os(Linux)
    let wslayConfig: String? = nil
#else
    let wslayConfig: String? = "libwslay"
#endif

/// On Linux, the compiler finds the library without its pkg-config file, which has flags that SwiftPM refuses with a warning.
#if os(Linux)
    let pixbufConfig: String? = nil
#else
    let pixbufConfig: String? = "gdk-pixbuf-2.0"
#endif

let package = Package(
    name: "tidegate",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tidegate", targets: ["tidegate"]),
        .executable(name: "tidegate-thumbnail", targets: ["ThumbnailProgram"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        // Reads openapi.yaml. swift-configuration, which reads the settings, uses it too.
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        // Transitive dependencies, pinned for reproducible builds.
        .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        // Level 0
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CWslay", pkgConfig: wslayConfig, providers: [.apt(["libwslay-dev"]), .brew(["wslay"])]),
        .systemLibrary(
            name: "CGdkPixbuf", pkgConfig: pixbufConfig,
            providers: [.apt(["libgdk-pixbuf-2.0-dev"]), .brew(["gdk-pixbuf"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CWideCharacters"),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "CBirthTime"),
        .target(name: "CTextSearch", dependencies: ["CSQLite"]),
        .target(name: "CQueryMemory", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "HeaderNames", dependencies: [httpTypes]),
        .target(name: "ParseModel"),
        // Level 1
        .target(name: "SyncModel", dependencies: ["ParseModel"]),
        .target(name: "WebSocketFrames", dependencies: ["CWslay", "CCrypto"]),
        .target(name: "Passwords", dependencies: ["CSodium"] + crypt),
        // Level 2
        .target(
            name: "HTTPServer",
            dependencies: ["HeaderNames", "WebSocketFrames", "CMicroHTTPD", "CGnuTLS", "CZlib", httpTypes]),
        .target(name: "HTTPClient", dependencies: ["WebSocketFrames", "CCurl", httpTypes]),
        .target(name: "RemoteService", dependencies: ["ParseModel", "SyncModel", httpTypes]),
        .target(name: "StoreService", dependencies: ["ParseModel", "SyncModel", "CCrypto"]),
        // Level 3
        .target(
            name: "LocalStore",
            dependencies: [
                "ParseModel", "SyncModel", "StoreService", "CSQLite", "CQueryMemory", "CBirthTime", "CTextSearch", grdb,
                sqlite,
            ]),
        .target(name: "RemoteHTTP", dependencies: ["ParseModel", "RemoteService", "HTTPClient", httpTypes]),
        // Level 4
        .target(
            name: "ParseRemote",
            dependencies: [
                "ParseModel", "SyncModel", "RemoteService", "RemoteHTTP", "HeaderNames", "HTTPClient", httpTypes,
            ]),
        .target(
            name: "DatasyncRemote",
            dependencies: [
                "ParseModel", "SyncModel", "RemoteService", "RemoteHTTP", "HeaderNames", "HTTPClient", "CCrypto",
                httpTypes,
            ]),
        // Level 5
        .target(name: "SyncEngine", dependencies: ["ParseModel", "SyncModel", "RemoteService", "StoreService", log]),
        .target(
            name: "GatewayAPI",
            dependencies: [
                "ParseModel", "SyncModel", "StoreService", "RemoteService", "HeaderNames", "HTTPServer", "Passwords",
                httpTypes, log,
            ]),
        // Level 6
        .target(
            name: "Gateway",
            dependencies: [
                "GatewayAPI", "SyncEngine", "SyncModel", "RemoteService", "RemoteHTTP", "StoreService", "ParseRemote",
                "DatasyncRemote", "HeaderNames", "HTTPServer", "HTTPClient", "Passwords", httpTypes,
                lifecycle,
                log,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Yams", package: "Yams"),
            ]),
        .executableTarget(
            name: "tidegate",
            dependencies: [
                "Gateway", "LocalStore", "ParseModel", "SyncModel", "StoreService", "RemoteService", "CMalloc",
                "CWideCharacters",
                lifecycle, log, argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        // A program of its own, so that the gateway does not link the decoders of pictures.
        .executableTarget(name: "ThumbnailProgram", dependencies: ["CGdkPixbuf"]),
        // Tests
        .testTarget(
            name: "ArchitectureTests",
            // SwiftPM warns about a package without a used product, so these tests link the pinned ones.
            dependencies: [
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(name: "ParseModelTests", dependencies: ["ParseModel", "SyncModel"]),
        .testTarget(name: "PasswordsTests", dependencies: ["Passwords"]),
        .testTarget(name: "WebSocketFramesTests", dependencies: ["WebSocketFrames"]),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPClient", "WebSocketFrames", httpTypes]),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer", "WebSocketFrames", httpTypes]),
        .target(
            name: "SyncModelSupport", dependencies: ["SyncModel", "ParseModel"], path: "Tests/SyncModelSupport"),
        .testTarget(name: "SyncModelTests", dependencies: ["SyncModel", "SyncModelSupport", "ParseModel"]),
        .target(
            name: "StoreSupport", dependencies: ["ParseModel", "SyncModel", "StoreService"],
            path: "Tests/StoreSupport"),
        .target(name: "TablesServer", dependencies: ["ParseModel", "CZlib"], path: "Tests/TablesServer"),
        .executableTarget(name: "tables-server", dependencies: ["TablesServer"], path: "Tests/TablesProgram"),
        .testTarget(
            name: "TablesServerTests", dependencies: ["TablesServer", "HTTPClient", "ParseModel", httpTypes],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "LocalStoreTests",
            dependencies: ["LocalStore", "ParseModel", "SyncModel", "StoreService", "StoreSupport", grdb, sqlite],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "ParseRemoteTests",
            dependencies: [
                "ParseRemote", "RemoteHTTP", "ParseModel", "SyncModel", "RemoteService", "HTTPClient", "HTTPServer",
                httpTypes,
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: [
                "SyncEngine", "ParseModel", "SyncModel", "SyncModelSupport", "StoreService", "RemoteService",
            ]),
        .testTarget(
            name: "GatewayAPITests",
            dependencies: [
                "GatewayAPI", "SyncModel", "StoreService", "RemoteService", "HTTPServer", "ParseModel",
                httpTypes, log,
                .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "Simulation",
            dependencies: [
                "Gateway", "GatewayAPI", "SyncEngine", "LocalStore", "ParseRemote", "DatasyncRemote", "HeaderNames",
                "HTTPServer", "HTTPClient", "TablesServer",
                "RemoteService", "SyncModel", "StoreService", "ParseModel", httpTypes, log,
            ],
            path: "Tests/Simulation"),
        .executableTarget(
            name: "tidegate-sim", dependencies: ["Simulation", "Gateway", "ParseModel", argumentParser],
            path: "Tests/SimulationProgram"),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Simulation", "tidegate-sim", "TablesServer", "HTTPClient", "HeaderNames", "ParseModel", httpTypes,
            ]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "tidegate", "Gateway", "GatewayAPI", "SyncEngine", "LocalStore", "ParseRemote", "DatasyncRemote",
                "RemoteHTTP", "TablesServer", "HTTPServer",
                "HTTPClient", "RemoteService", "Simulation", "SyncModel", "StoreService", "StoreSupport", "Passwords",
                "ParseModel", argumentParser, grdb, httpTypes, log,
            ]),
    ],
    swiftLanguageModes: [.v6]
)
package.targets += cryptTargets

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}

// Optimising the tests would take more time than it saves: `scripts/test --optimised` runs unoptimised tests of optimised programs.
for target in package.targets where target.type == .test {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .unsafeFlags(
                ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
        ]
}
