import ParseModel

extension GatewayAPI {
    /// What the program decides about the local API.
    package struct Configuration: Sendable {
        package enum Mode: String, Sendable { case standalone, replica }

        /// Which remote a replica follows, as `/serverInfo` names it. Keys are no part of it.
        package struct Remote: Sendable, Hashable {
            package var url: String
            package var applicationId: String

            package init(url: String, applicationId: String) {
                self.url = url
                self.applicationId = applicationId
            }
        }

        package var mode: Mode
        /// Tidegate's version, for instance `0.1.0`.
        package var version: String
        package var remote: Remote?
        /// The key that every request but `/health` and the page's files must carry; nil or empty: none.
        package var accessKey: String?
        package var keys: Keys
        /// Host names that requests may name besides `localhost`, `127.0.0.1` and `[::1]`: the address listened on,
        /// and others by configuration. With a port (`name:8080`) only that port; without, any.
        package var allowedHosts: [String]
        /// Origins such as `https://app.example.org` whose pages may use this gateway besides its own page.
        package var allowedOrigins: [String]
        /// The directory of the page's files; nil: no page.
        package var webDirectory: String?
        /// The text of `openapi.yaml`; nil: not served.
        package var openAPIFile: [UInt8]?
        package var limits: Limits
        /// How long the ids of requests are remembered; nil: they are not looked at.
        package var idempotencyTTL: Duration?

        package init(
            mode: Mode, version: String, remote: Remote? = nil, accessKey: String? = nil, keys: Keys = Keys(),
            allowedHosts: [String] = [],
            allowedOrigins: [String] = [], webDirectory: String? = nil, openAPIFile: [UInt8]? = nil,
            limits: Limits = Limits()
        ) {
            self.mode = mode
            self.version = version
            self.remote = remote
            self.accessKey = accessKey
            self.keys = keys
            self.allowedHosts = allowedHosts
            self.allowedOrigins = allowedOrigins
            self.webDirectory = webDirectory
            self.openAPIFile = openAPIFile
            self.limits = limits
        }
    }

    /// Which Parse clients may ask. They stand in no text that this value is printed as.
    package struct Keys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// Requests of the Parse dialect must name it; nil: any, or none.
        package var applicationId: String?
        /// Clients must send it as one of their keys; nil: any, or none.
        package var restKey: String?
        /// Who sends it may do everything; nil: nobody.
        package var masterKey: String?
        /// The remote's. A client with it needs no other key, and has rights on the remote only. Nil where it is not known.
        package var remoteMasterKey: String?

        package init(
            applicationId: String? = nil, restKey: String? = nil, masterKey: String? = nil,
            remoteMasterKey: String? = nil
        ) {
            self.remoteMasterKey = remoteMasterKey
            self.applicationId = applicationId
            self.restKey = restKey
            self.masterKey = masterKey
        }

        package var description: String { "Keys of \(applicationId ?? "any application")" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Bounds on what one request may ask. The size of bodies and headers is bounded by the server.
    package struct Limits: Sendable {
        /// Operations in one `/batch`.
        package var batchMax: Int
        /// Objects in one answer; a larger `limit` is lowered to it without a word, as a server's `maxLimit` does. Without it
        /// answers are bounded by their size and by the time that the query takes.
        package var pageMax: Int
        /// The query of a URL, percent-encoded.
        package var queryBytesMax: Int
        /// Arrays and objects within each other in an object; a batch may have those around its objects besides.
        package var nestingMax: Int
        /// The text of one answer that lists objects.
        package var answerBytesMax: Int
        /// How long one query may take.
        package var queryTimeMax: Duration
        /// How long one batch may take; items that were not begun by then fail.
        package var batchTimeMax: Duration
        /// The answers of all batches in work together, in bytes.
        package var batchBytesMax: Int
        /// Streams of changes that are open at one time; each keeps a connection.
        package var streamsMax: Int
        /// How many changes behind a stream may fall that has kept up before. Then it ends, and its reader may return.
        package var streamLagMax: Int
        /// The largest file that is taken, in bytes.
        package var fileBytesMax: Int

        package init(
            batchMax: Int = 1000, pageMax: Int = .max, queryBytesMax: Int = 32_768,
            nestingMax: Int = JSONReader.depthMax, answerBytesMax: Int = 64 << 20,
            queryTimeMax: Duration = .seconds(20), batchTimeMax: Duration = .seconds(30),
            batchBytesMax: Int = 256 << 20,
            streamsMax: Int = 256, streamLagMax: Int = 20_000,
            fileBytesMax: Int = 20 << 20
        ) {
            self.batchMax = batchMax
            self.pageMax = pageMax
            self.queryBytesMax = queryBytesMax
            self.nestingMax = nestingMax
            self.answerBytesMax = answerBytesMax
            self.queryTimeMax = queryTimeMax
            self.batchTimeMax = batchTimeMax
            self.batchBytesMax = batchBytesMax
            self.streamsMax = streamsMax
            self.streamLagMax = streamLagMax
            self.fileBytesMax = fileBytesMax
        }
    }
}
