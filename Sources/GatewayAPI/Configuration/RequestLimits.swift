import ParseModel

/// Bounds of one request. The server bounds the size of bodies and headers.
package struct RequestLimits: Sendable {
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
