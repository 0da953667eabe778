import HTTPServer
import HTTPTypes
import ParseModel
import Testing

extension AccountClient {
    /// The key of an export or import.
    enum TransferKey {
        case none, master, readOnlyMaster, maintenance
        case session(String)
    }

    /// - Returns: the status and the whole body.
    func transfer(
        _ method: HTTPRequest.Method, _ target: String, _ body: String = "", _ key: TransferKey = .maintenance,
        accept: String = "*/*", contentType: String? = nil
    ) async throws -> (status: Int, text: String) {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var fields: HTTPFields = [.accept: accept]
        fields[.contentType] = contentType
        fields[try #require(HTTPField.Name("Host"))] = "127.0.0.1:1338"
        switch key {
        case .none: break
        case .master: fields[try #require(HTTPField.Name("X-Parse-Master-Key"))] = Self.masterKey
        case .readOnlyMaster:
            fields[try #require(HTTPField.Name("X-Parse-Master-Key"))] = Self.readOnlyMasterKey
        case .maintenance: fields[try #require(HTTPField.Name("X-Parse-Maintenance-Key"))] = Self.maintenanceKey
        case .session(let token): fields[try #require(HTTPField.Name("X-Parse-Session-Token"))] = token
        }
        let request = HTTPServerRequest(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: fields,
            body: Array(body.utf8))
        let response = await api.handle(request).response()
        return (response.status.code, String(decoding: response.wholeBody, as: UTF8.self))
    }

    func export(_ target: String, _ key: TransferKey = .master) async throws -> String {
        let answer = try await transfer(.get, "/export" + target, "", key)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.text
    }

    /// The result of an import.
    @discardableResult
    func importText(
        _ target: String, _ text: String, _ key: TransferKey = .maintenance, status: Int = 200
    ) async throws -> JSONObject {
        let answer = try await transfer(.post, "/import" + target, text, key)
        #expect(answer.status == status, "\(answer.text)")
        return try #require(try JSONReader.read(answer.text).object)
    }
}

extension JSONObject {
    /// The counts of an import: made, changed, unchanged, refused.
    var counts: [Int?] { ["made", "changed", "unchanged", "refused"].map { self[$0]?.int } }

    /// The lines and the texts of the refusals of an import.
    var refusalTexts: [String] {
        self["refusals"]?.array?.compactMap(\.object).map {
            "\($0["line"]?.int ?? 0): \($0["error"]?.string ?? "")"
        } ?? []
    }
}
