import Foundation
import Gateway
import ParseModel
import Synchronization

/// The export of classes into files for the database of a Parse Server.
struct DatabaseExport {
    enum Database {
        /// A file with documents a class, for `mongoimport`.
        case mongo
        /// A file with rows a class, for `COPY`, and a script for `psql`, which creates the tables and loads the rows.
        case postgres

        fileprivate var fileExtension: String { self == .mongo ? ".json" : ".copy" }
    }

    let database: Database
    /// The path of the directory, with a slash at its end.
    let directory: String
    let transfers: Transfers
    /// The parameters of the export of a class.
    let parameters: [(name: String, value: String)]
    let withPasswordHashes: Bool

    struct Result {
        var classes = 0
        /// The number of objects and of members of relations.
        var objects = 0
        /// The number of users whose password hashes Parse Server cannot check, and that were left out.
        var foreignHashes = 0
    }

    /// Writes the files. The script or the schemas are written last, so they are missing in an export that was
    /// interrupted.
    /// - Parameter classes: the classes to export; empty for all.
    func run(_ classes: [String], _ line: ProgressLine) async throws -> Result {
        let schemas = try await schemas(classes)
        let all = try await transfers.sources()
        let sources = all.map(\.className)
        // With a condition, the number of the objects is unknown.
        let isWhole = !parameters.contains { $0.name == "where" }
        let progress = ExportProgress(line, of: schemas.map(\.className), in: isWhole ? all : nil)
        var loads: [String] = []
        var result = Result()
        for schema in schemas {
            let table = PostgresTable(schema)
            if sources.contains(schema.className) {
                loads.append(load(schema.className, columns: table.columnNames))
                result.foreignHashes += try await write(schema, table, progress)
                result.classes += 1
            }
            for join in table.joins where sources.contains(join.name) {
                loads.append(load(join.name, columns: PostgresTable.joinColumns))
                try await write(join, progress)
            }
        }
        try finish(schemas, loads)
        result.objects = progress.objects
        return result
    }

    private func schemas(_ classes: [String]) async throws -> [ClassSchema] {
        let found = try await transfers.schemas().filter { $0.className != "_Session" }
        for name in classes where !found.contains(where: { $0.className == name }) {
            throw ConfigurationError("there is no schema of a class \(name)")
        }
        return found.filter { classes.isEmpty || classes.contains($0.className) }
            .sorted { $0.className < $1.className }
    }

    private func load(_ table: String, columns: [String]) -> String {
        PostgresTable.load(table, file: table + database.fileExtension, columns: columns)
    }

    // MARK: Objects

    private func write(
        _ schema: ClassSchema, _ table: PostgresTable, _ progress: ExportProgress
    ) async throws -> Int {
        let foreignHashes = Atomic(0)
        var parameters = parameters
        if withPasswordHashes, schema.className == "_User" { parameters.append(("passwordHashes", "true")) }
        try await convert(schema.className, parameters, progress) { object in
            var object = object
            // Parse Server checks passwords by bcrypt alone.
            if let hash = object[Self.hashName]?.string, !hash.hasPrefix("$2") {
                object[Self.hashName] = nil
                foreignHashes.add(1, ordering: .relaxed)
            }
            switch database {
            case .mongo: return MongoDocument.document(object, of: schema).jsonText + "\n"
            case .postgres: return try table.row(object)
            }
        }
        return foreignHashes.load(ordering: .relaxed)
    }

    private static let hashName = "_hashed_password"

    private func write(_ join: RelationJoin, _ progress: ExportProgress) async throws {
        try await convert(join.name, [], progress) { member in
            database == .mongo ? member.jsonText + "\n" : PostgresTable.row(ofJoin: member)
        }
    }

    /// Writes the file of a class.
    /// - Parameter text: the text of an object in the file.
    private func convert(
        _ className: String, _ parameters: [(name: String, value: String)], _ progress: ExportProgress,
        _ text: @escaping @Sendable (JSONObject) throws -> String
    ) async throws {
        let file = try OutputFile(directory + className + database.fileExtension)
        progress.begin(className)
        let lines = ObjectLines { object in
            do {
                guard file.write(try text(object).utf8) else {
                    throw ConfigurationError("cannot write \(directory + className + database.fileExtension)")
                }
                progress.countOne()
            } catch let error as ParseError {
                throw ConfigurationError(
                    "the object \(object["objectId"]?.string ?? "") of \(className) has no form in the database: "
                        + error.message)
            }
        }
        do {
            try await transfers.export(className, [("format", "ndjson")] + parameters) { lines.take($0) }
        } catch {
            throw lines.error ?? error
        }
        try file.finish()
    }

    // MARK: Schemas

    private func finish(_ schemas: [ClassSchema], _ loads: [String]) throws {
        let (name, lines): (String, [String])
        switch database {
        case .mongo:
            name = "_SCHEMA.json"
            lines = schemas.filter(\.isStored).map { MongoDocument.document($0).jsonText }
        case .postgres:
            name = "load.sql"
            let tables = schemas.map(PostgresTable.init)
            lines =
                [
                    "-- Loads an export of Tidegate into an empty database. In this directory: psql --file load.sql DATABASE",
                    "\\set ON_ERROR_STOP on", "\\encoding UTF8", "BEGIN;", PostgresTable.createSchemas,
                ] + tables.map(\.creation) + tables.compactMap(\.registration) + loads + ["COMMIT;"]
        }
        let file = try OutputFile(directory + name)
        guard file.write((lines.joined(separator: "\n") + "\n").utf8) else {
            throw ConfigurationError("cannot write \(directory + name)")
        }
        try file.finish()
    }
}

/// Splits an export in NDJSON into objects.
private final class ObjectLines: @unchecked Sendable {
    // The transport calls `take` from one thread at a time, and the error is read after the last call.
    private var rest: [UInt8] = []
    private let each: (JSONObject) throws -> Void
    private(set) var error: (any Error)?

    init(each: @escaping (JSONObject) throws -> Void) { self.each = each }

    /// - Returns: false after an error, which ends the download.
    func take(_ piece: some Sequence<UInt8>) -> Bool {
        rest += piece
        do {
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[start..<end])
                if let object = try JSONReader.read(line, depthMax: JSONReader.storedDepthMax).object {
                    try each(object)
                }
                start = end + 1
            }
            rest.removeFirst(start)
            return true
        } catch {
            self.error = error
            return false
        }
    }
}
