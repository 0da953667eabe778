import ParseModel

/// The maximum values for requests, answers and streams. The HTTP server itself limits the size of bodies and headers.
package struct RequestLimits: Sendable {
    /// The maximum number of items in one `/batch`.
    package var batchMax: Int
    /// The maximum number of objects in one answer. As with Parse Server's `maxLimit`, a larger `limit` is silently
    /// lowered to this number. By default, only the size and the query time of an answer are limited.
    package var pageMax: Int
    /// The maximum length of a URL's query in bytes, percent-encoded.
    package var queryBytesMax: Int
    /// The maximum nesting depth of arrays and objects in a body. In a batch, the levels around the body of an item are
    /// not counted.
    package var nestingMax: Int
    /// The maximum size in bytes of one answer with objects.
    package var answerBytesMax: Int
    /// The maximum time of one query.
    package var queryTimeMax: Duration
    /// The maximum time of one batch. Items that have not begun by then fail, except those of a transaction.
    package var batchTimeMax: Duration
    /// The maximum total size in bytes of the answers of all running batches.
    package var batchBytesMax: Int
    /// The maximum number of open change streams. Each occupies one of the 1024 connections for requests. The other half
    /// of these stays free.
    package var streamsMax: Int
    /// The maximum number of connections of live queries. The server has as many connections besides those for requests.
    package var liveConnectionsMax = 1200
    /// The maximum memory in bytes of all subscriptions of live queries: 60,000 to 85,000 with usual queries.
    package var liveMemoryMax = 256 << 20
    /// The maximum number of changes by which a stream that was up to date may fall behind. Above it, the stream ends.
    package var streamLagMax: Int
    /// The largest accepted file, in bytes.
    package var fileBytesMax: Int

    package init(
        batchMax: Int = 1000, pageMax: Int = .max, queryBytesMax: Int = 32_768,
        nestingMax: Int = JSONReader.depthMax, answerBytesMax: Int = 64 << 20,
        queryTimeMax: Duration = .seconds(20), batchTimeMax: Duration = .seconds(30),
        batchBytesMax: Int = 256 << 20,
        streamsMax: Int = 512, streamLagMax: Int = 20_000,
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
