import HTTPServer
import ParseModel

/// Collects the answers to the items of a batch, and writes them as the body of the batch's answer. Their total size is
/// limited, for this batch and for all running batches together.
struct BatchAnswers {
    private enum Outcome {
        /// The JSON text of the answer; empty until the item is answered.
        case success([UInt8])
        case failure(JSONObject)
    }

    private let request: HTTPServerRequest
    private let errors: ErrorResponder
    private let budget: ByteBudget
    private var outcomes: [Outcome]
    private(set) var bytesLeft: Int
    private var bytesReserved = 0

    /// - Parameters:
    ///   - bytesMax: the maximum size of all answers.
    ///   - budget: limits the size of the answers that all running batches hold.
    init(of plan: BatchPlan, bytesMax: Int, budget: ByteBudget, errors: ErrorResponder) {
        request = plan.request.http
        self.errors = errors
        self.budget = budget
        outcomes = Array(repeating: .success([]), count: plan.items.count)
        bytesLeft = bytesMax
    }

    mutating func note(_ result: Result<[UInt8], any Error>, at place: Int) {
        switch result {
        case .success(let text): outcomes[place] = .success(text)
        case .failure(let error): outcomes[place] = .failure(errors.answer(to: error, request).batchItem)
        }
    }

    /// Takes the body of a response to an item, without status and headers.
    mutating func take(_ response: HTTPServerResponse, at place: Int) {
        let object = (try? JSONReader.read(response.body, depthMax: JSONReader.answerDepthMax))
        guard response.status.kind == .successful, object != nil || response.body.isEmpty else {
            let error = object?.object.flatMap { $0["error"] == nil ? nil : $0 }
            outcomes[place] = .failure(
                error ?? [
                    "code": 1, "error": .string("The answer was HTTP \(response.status.code), without a reason."),
                ])
            return
        }
        guard response.body.count <= bytesLeft else {
            outcomes[place] = .failure(
                ErrorAnswer(ParseError(.objectTooLarge, "The answers exceed the size limit of a batch.")).batchItem)
            return
        }
        outcomes[place] = .success(response.body.isEmpty ? Array("{}".utf8) : response.body)
    }

    /// Counts the size of an item's answer. If all running batches together would exceed their limit, the answer
    /// becomes an error.
    mutating func reserve(at place: Int) {
        guard case .success(let text) = outcomes[place], !text.isEmpty else { return }
        guard budget.reserve(text.count) else {
            note(.failure(APIError.busy), at: place)
            return
        }
        bytesReserved += text.count
        bytesLeft -= text.count
    }

    /// Releases the bytes that this batch has reserved in the budget of all running batches.
    func end() { budget.release(bytesReserved) }

    /// The error code of each failed item; nil for the others.
    var codes: [Int?] {
        outcomes.map { outcome in
            guard case .failure(let error) = outcome else { return nil }
            return error["code"]?.int ?? ParseError.Code.internalServerError.rawValue
        }
    }

    /// The body of the batch's answer: `[{"success":…},{"error":…},…]`.
    var text: [UInt8] {
        var writer = JSONWriter(reserving: 96 * outcomes.count + 2)
        writer.raw("[")
        for (place, outcome) in outcomes.enumerated() {
            if place > 0 { writer.raw(",") }
            switch outcome {
            case .success(let text): writer.raw("{\"success\":\(String(decoding: text, as: UTF8.self))}")
            case .failure(let error): writer.write(["error": .object(error)] as JSONObject)
            }
        }
        writer.raw("]")
        return writer.bytes
    }
}
