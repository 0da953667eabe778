import CCurl
import HTTPTypes

/// One request under way: libcurl's handle, what its callbacks collect, and what became of it.
final class CurlTransfer: @unchecked Sendable {
    // Made by the caller and from then on touched by the thread of CurlLoop only.
    private(set) var handle: UnsafeMutableRawPointer?
    var isCancelled = false

    private let request: HTTPClientRequest
    private let configuration: CurlTransport.Configuration
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var response = ResponseCollector()
    /// How often a connection was ready and the request about to go out.
    private var sendings = 0

    /// An address that no connection was made to, because it is not allowed.
    private var forbidden: SocketAddress?

    /// The body that is sent from a file.
    private var bodyFile: UploadFile?

    /// - Parameter sink: takes the body of a success; nil for memory.
    init(
        request: HTTPClientRequest, sink: HTTPResponseSink? = nil, configuration: CurlTransport.Configuration
    ) {
        self.request = request
        var configuration = configuration
        if sink != nil || request.bodyFile != nil { configuration.requestTimeout = configuration.transferTimeout }
        self.configuration = configuration
        response.sink = sink
        response.bytesMax = configuration.responseBytesMax
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        errorText.deallocate()
    }

    /// Makes libcurl's handle.
    func prepare() throws(HTTPTransportError) -> UnsafeMutableRawPointer {
        if isCancelled { throw .notSent(reason: "cancelled") }
        guard let handle = curl_easy_init() else { throw .notSent(reason: "libcurl is out of memory") }
        self.handle = handle
        if let file = request.bodyFile {
            guard let open = UploadFile(file) else {
                curl_easy_cleanup(handle)
                self.handle = nil
                throw .notSent(reason: "the file to be sent cannot be read")
            }
            bodyFile = open
        }
        headerList = request.curlHeaders()
        let failed = request.configure(handle, configuration, headerList) ?? connectCallbacks(handle)
        if let failed {
            cleanUp()
            throw .notSent(reason: String(cString: curl_easy_strerror(failed)))
        }
        return handle
    }

    func cleanUp() {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerList)
        handle = nil
        headerList = nil
        bodyFile = nil
    }

    func finished(_ code: CURLcode) -> CurlLoop.Result {
        if code == CURLE_OK, var response = response.whole() {
            response.redirectURL = redirectURL
            return .success(response)
        }
        if sendings == 0, let forbidden { return .failure(.forbidden(address: forbidden.host)) }
        if response.isTooLong { return .failure(.tooLong(reason: reason(code))) }
        return aborted(reason: reason(code))
    }

    func aborted(reason: String) -> CurlLoop.Result {
        .failure(sendings == 0 ? .notSent(reason: reason) : .outcomeUnknown(reason: reason))
    }

    /// libcurl's own words where they tell about addresses and certificates; elsewhere they could quote the exchange.
    private func reason(_ code: CURLcode) -> String {
        if let problem = response.problem { return problem }
        let isHarmless = [
            CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
        ].contains(code)
        return String(cString: isHarmless && errorText[0] != 0 ? UnsafePointer(errorText) : curl_easy_strerror(code))
    }

    /// Where libcurl would go from a redirection.
    private var redirectURL: String? {
        var text: UnsafeMutablePointer<CChar>?
        guard tidegate_curl_get_string(handle, CURLINFO_REDIRECT_URL, &text) == CURLE_OK else { return nil }
        return text.map { String(cString: $0) }
    }

    private func connectCallbacks(_ handle: UnsafeMutableRawPointer) -> CURLcode? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var codes: [CURLcode] = []
        if bodyFile != nil {
            codes = [
                tidegate_curl_set_pointer(handle, CURLOPT_READDATA, context),
                tidegate_curl_set_data_callback(handle, CURLOPT_READFUNCTION) { bytes, _, count, context in
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
                    return CurlTransfer.from(context).bodyFile?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
                },
            ]
        }
        codes += [
            tidegate_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText),
            tidegate_curl_set_pointer(handle, CURLOPT_PREREQDATA, context),
            tidegate_curl_set_prereq_callback(handle) { context, _, _, _, _ in
                CurlTransfer.from(context).mayGoOut() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            tidegate_curl_set_pointer(handle, CURLOPT_HEADERDATA, context),
            tidegate_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                CurlTransfer.from(context).response.addHeaderLine(UnsafeRawBufferPointer(start: bytes, count: count))
                    ? count : 0
            },
            tidegate_curl_set_pointer(handle, CURLOPT_WRITEDATA, context),
            tidegate_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                CurlTransfer.from(context).response.addBody(UnsafeRawBufferPointer(start: bytes, count: count))
                    ? count : 0
            },
        ]
        if request.mayConnect != nil {
            codes += [
                tidegate_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context),
                tidegate_curl_set_opensocket_callback(handle) { context, _, address in
                    guard let address, CurlTransfer.from(context).mayConnect(to: address) else { return -1 }
                    return tidegate_curl_open_socket(address)
                },
            ]
        }
        return codes.first { $0 != CURLE_OK }
    }

    /// libcurl asks before each sending; it sends again by itself where a reused connection turns out to be dead.
    private func mayGoOut() -> Bool {
        sendings += 1
        return sendings == 1 || request.isRepeatable
    }

    /// libcurl asks before it opens a socket, with the address that it is going to connect to.
    private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        let known = withUnsafePointer(to: &address.pointee.addr) {
            SocketAddress(UnsafeRawPointer($0), byteCount: Int(address.pointee.addrlen))
        }
        guard let known else { return false }
        if request.mayConnect?(known) != false { return true }
        forbidden = known
        return false
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
    }
}
