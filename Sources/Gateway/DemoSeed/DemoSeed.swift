import Foundation
import Logging
import ParseModel
import StoreService

/// The sample data of the hub, the standalone gateway that `tidegate demo` starts.
package enum DemoSeed {
    package struct Object: Sendable {
        package let fields: JSONObject
        /// The file name of the picture without its extension, in the directory `demo` of the web page.
        package let picture: String
    }

    /// The objects by class, in order of creation.
    package static let classes: [(name: String, objects: [Object])] = [
        ("Holiday", holidays), ("Birthday", birthdays),
    ]

    /// A Parse date at midnight UTC.
    /// - Parameter day: a date such as `2027-02-06`.
    static func date(_ day: String) -> JSONValue {
        ["__type": "Date", "iso": .string(day + "T00:00:00.000Z")]
    }
}

extension DemoSeed {
    /// Adds the sample data to a stopped gateway. A class that already has objects stays unchanged.
    /// - Parameter pictures: the directory of the pictures; nil for objects without pictures.
    /// - Throws: `GatewayError`.
    package static func fill(
        _ configuration: GatewayConfiguration, stores: any StoreKind, pictures: String?, logger: Logger
    ) async throws {
        do {
            let store = try stores.open(configuration.store(), environment: .live)
            try await fill(store, pictures: pictures, logger: logger)
        } catch {
            throw GatewayError(error)
        }
    }

    /// Adds the sample data to a store. A class that already has objects stays unchanged.
    static func fill(_ store: any GatewayStore, pictures: String?, logger: Logger) async throws {
        for (name, objects) in classes
        where try store.objects.find(name, ParseQuery(limit: 1), as: .master).objects.isEmpty {
            var requests: [WriteRequest] = []
            for object in objects {
                var body = object.fields
                if let content = pictures.flatMap({ picture(object.picture, in: $0) }) {
                    body["image"] = try await add(content, to: store, named: "\(name.lowercased()).png").json
                } else {
                    logger.warning("the picture \(object.picture).png is missing")
                }
                requests.append(.create(className: name, body: body))
            }
            for result in await store.objects.perform(requests, as: .master, atomically: true) {
                _ = try result.get()
            }
            logger.info("created \(objects.count) objects of \(name)")
        }
    }

    /// The content of a picture; nil if it is unreadable.
    static func picture(_ name: String, in directory: String) -> Data? {
        FileManager.default.contents(atPath: "\(directory)/\(name).png")
    }

    /// Stores a picture in the same way as a client's upload.
    private static func add(
        _ content: Data, to store: any GatewayStore, named name: String
    ) async throws -> FileReference {
        let draft = try store.objects.files.draft()
        try content.withUnsafeBytes { try draft.write($0) }
        let file = try await store.objects.files.addFile(
            draft, name: FileName.unique(name, Environment.live), contentType: "image/png", as: .master)
        return FileReference(name: file.name, url: nil)
    }
}
