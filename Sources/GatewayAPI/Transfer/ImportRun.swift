import HTTPServer
import ParseModel
import StoreService

/// Imports one file in two passes: the first checks all objects and changes nothing, the second writes them.
///
/// Each transaction writes some thousand objects, so that clients can write during an import. An import that was
/// interrupted has written the objects at the beginning of the file. The same import, run again, leaves those unchanged
/// and writes the others, if the objects have ids.
struct ImportRun: Sendable {
    struct Terms: Sendable {
        /// The class of the objects; nil if each object names its class.
        let className: String?
        let format: TransferFormat
        let map: FieldMap
        /// Whether only the check runs.
        let isDryRun: Bool
        /// Whether the objects that are not refused are written although others are refused.
        let skipsRefused: Bool
        let principal: Principal
        let client: HTTPClientPresence
    }

    /// What an import has done.
    struct Ending: Sendable {
        let report: ImportReport
        /// Whether the report is that of the second pass.
        let isWritten: Bool
        /// Whether an object was refused in the second pass that the first pass had accepted.
        let hasStopped: Bool
    }

    let store: any ObjectStore
    let threads: BlockingReads
    let limits: ImportLimits
    /// Whether the gateway has users of its own.
    let hasUsers: Bool
    /// Imports the schemas and the global config; nil in a gateway whose remote has them.
    let schemas: SchemaTransfer?
    /// Lets an import wait for the first sync of its classes. Before it, objects of the remote would look new.
    let readiness: any Readiness
    /// Checks the pointers and files of the objects; nil to check none.
    let foreignNames: ForeignNames?

    /// - Parameters:
    ///   - path: the imported file.
    ///   - progress: receives the pass, its report so far, and the number of bytes read in it.
    /// - Throws: `ParseError` if the file as a whole is malformed; `StoreError`; `StoreError.tookTooLong` if the client
    ///   has disconnected.
    func perform(
        _ path: String, _ terms: Terms,
        progress: @escaping @Sendable (_ isWrite: Bool, _ report: ImportReport, _ bytesRead: Int) -> Void
    ) async throws -> Ending {
        let check = try await pass(path, terms, writes: false) { progress(false, $0, $1) }
        guard !terms.isDryRun, check.refused == 0 || terms.skipsRefused else {
            return Ending(report: check, isWritten: false, hasStopped: false)
        }
        let write = try await pass(path, terms, writes: true) { progress(true, $0, $1) }
        return Ending(
            report: write, isWritten: true, hasStopped: !terms.skipsRefused && write.refused > 0)
    }

    private func pass(
        _ path: String, _ terms: Terms, writes: Bool,
        _ progress: @escaping @Sendable (_ report: ImportReport, _ bytesRead: Int) -> Void
    ) async throws -> ImportReport {
        let source = try ImportSource(path: path, text(terms))
        let reader = ImportReader(
            terms: terms, source: source, hasUsers: hasUsers, hasSchemas: schemas != nil, for: store.transfer)
        var report = ImportReport()
        var chunk = try await read(reader, terms)
        while !chunk.isEmpty {
            if terms.client.hasDisconnected { throw StoreError.tookTooLong }
            let present = chunk
            // The next objects are read while these are written. Whether these are the last is known only at the end of
            // the file, so the last transaction may be an empty one.
            async let results = store.transfer.importObjects(
                present.compactMap(\.object), as: terms.principal,
                writes ? .write(isLast: false) : .check)
            let next = try await read(reader, terms)
            try await note(results, of: present, writes: writes, in: &report)
            progress(report, source.bytesRead)
            if writes, report.refused > 0, !terms.skipsRefused { return report }
            chunk = next
        }
        if writes { _ = try await store.transfer.importObjects([], as: terms.principal, .write(isLast: true)) }
        return report
    }

    private func text(_ terms: Terms) -> any ImportText {
        switch terms.format {
        case .ndjson: NDJSONText(limits)
        case .csv: TableText(limits, terms.map)
        case .parse: ResultsText(limits)
        }
    }

    private func read(_ reader: ImportReader, _ terms: Terms) async throws -> [ImportReader.Item] {
        let count = store.transfer.objectsTogether
        let items = try await threads.run(.body, for: terms.client) { try reader.next(count) }.get()
        for className in Set(items.compactMap { $0.object?.object.className }) {
            try await readiness.wait(for: className, nil)
        }
        guard let foreignNames else { return items }
        var checked: [ImportReader.Item] = []
        for item in items {
            guard let object = item.object?.object else {
                checked.append(item)
                continue
            }
            do {
                let write = WriteRequest.create(className: object.className, body: object.fields)
                try await foreignNames.check(write, as: terms.principal)
                checked.append(item)
            } catch let refusal as ParseError {
                checked.append(item.refused(refusal))
            }
        }
        return checked
    }

    /// Notes the results of the objects, and imports the schemas and the config among them.
    private func note(
        _ results: [Result<ImportOutcome, any Error>], of chunk: [ImportReader.Item], writes: Bool,
        in report: inout ImportReport
    ) async throws {
        var results = results[...]
        for item in chunk {
            switch item.content {
            case .failure(let refusal): report.note(refusal, line: item.line, objectId: item.objectId)
            case .success(.setting(let setting)):
                guard let schemas else { preconditionFailure("the reader refuses settings") }
                do {
                    report.note(try await schemas.take(setting, writes: writes))
                } catch let refusal as ParseError {
                    report.note(refusal, line: item.line, objectId: item.objectId)
                }
            case .success(.object):
                switch results.popFirst() {
                case .success(let outcome)?: report.note(outcome)
                case .failure(let error)?: report.note(error, line: item.line, objectId: item.objectId)
                case nil: preconditionFailure("a store gives a result for each object")
                }
            }
        }
    }
}
