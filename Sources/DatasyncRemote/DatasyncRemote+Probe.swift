import RemoteService

extension DatasyncRemote: RemoteProbe {
    package func recognizesServer(classes: [String]) async throws(RemoteError) -> Bool {
        for name in classes {
            let path = try await configuration.mapping(name).path(of: name)
            do {
                _ = try await exchange.shownDialect(at: path)
                return true
            } catch {
                switch error {
                // The server may have other tables, or it may be of another kind.
                case .misaddressed, .refused, .faulty, .failed: continue
                default: throw error
                }
            }
        }
        return false
    }

    /// Servers of tables have no call that lists the tables.
    package func classNames() async throws(RemoteError) -> [String]? { nil }

    package func diagnose(classes: [String]) async -> [RemoteFinding] {
        if classes.isEmpty { return [await answerFinding()] }
        var findings: [RemoteFinding] = []
        var dialect: TableDialect?
        for name in classes {
            let result = await TableCheck(className: name, exchange: exchange).run()
            if dialect == nil, let shown = result.dialect {
                dialect = shown
                findings.append(RemoteFinding("dialect", .ok, "The remote keeps tables of \(shown.product)."))
            }
            findings += result.findings
            if result.isUnreachable { break }
        }
        return findings
    }

    private func answerFinding() async -> RemoteFinding {
        do {
            _ = try await serverTime()
            return RemoteFinding(
                "health", .ok, "The remote answers. To check its tables, name their classes with --class.")
        } catch {
            return RemoteFinding.noAnswer(error)
        }
    }
}
