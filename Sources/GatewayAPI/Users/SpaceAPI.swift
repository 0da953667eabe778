import HTTPServer
import ParseModel
import StoreService

/// The API of a user's space behind the door of a personal replica, which has checked and read the requests.
package protocol SpaceAPI: Sendable {
    /// The sync engine of the space.
    var control: (any SyncControl)? { get }

    /// Whether the space has a file. True also if the store cannot be read, so that the space answers with the error.
    func hasFile(_ name: String, for user: SignedInUser) -> Bool

    /// The sink for the body of an upload.
    func sink(for head: HTTPServerRequest) -> any HTTPBodySink

    func answer(_ request: RoutedRequest, _ exchange: Exchange, as principal: Principal) -> HTTPReply

    func answerUpload(_ exchange: Exchange, as principal: Principal) throws -> HTTPReply
}
