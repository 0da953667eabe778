import CCurl
import HTTPTypes

/// One request in progress: the libcurl handle, the data collected by its callbacks, and the result.
final class CurlTransfer: @unchecked Sendable {
    // The class needs no lock: after a transfer is submitted, only the thread of `CurlLoop` uses the transfer.
    private(set) var handle: UnsafeMutableRawPointer?
    var isCancelled = false

    private let request: HTTPClientRequest
    private let configuration: CurlTransport.Configuration
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var response = ResponseCollector()
    /// The number of attempts to send the request; 0 if no byte can have been sent.
    private var sendCount = 0

    /// The address that `HTTPClientRequest.mayConnect` has rejected; nil if no address was rejected.
    private var rejectedAddress: SocketAddress?

    /// The open file of the request body; nil for a body in memory.
    private var bodyFile: UploadFile?

    /// - Parameter sink: receives the body of a successful response; nil to collect the body in memory.
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

    /// Creates and configures the libcurl handle.
    /// - Throws: `.notSent` if the request is cancelled, if its body file cannot be opened, or if libcurl refuses the handle
    ///   or an option.
    func prepare() throws(HTTPTransportError) -> UnsafeMutableRawPointer {
        if isCancelled { throw .notSent(reason: "cancelled") }
        guard let handle = curl_easy_init() else { throw .notSent(reason: "libcurl is out of memory") }
        self.handle = handle
        if let file = request.bodyFile {
            guard let open = UploadFile(file) else {
                curl_easy_cleanup(handle)
                self.handle = nil
                throw .notSent(reason: "the file of the request body cannot be read")
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
        if code == CURLE_OK, var response = response.completeResponse() {
            response.redirectURL = redirectURL
            return .success(response)
        }
        if sendCount == 0, let rejectedAddress { return .failure(.forbidden(address: rejectedAddress.host)) }
        if response.isTooLong { return .failure(.tooLong(reason: reason(code))) }
        return aborted(reason: reason(code))
    }

    func aborted(reason: String) -> CurlLoop.Result {
        .failure(sendCount == 0 ? .notSent(reason: reason) : .outcomeUnknown(reason: reason))
    }

    /// The problem that `ResponseCollector` has found, otherwise libcurl's text for the error. libcurl's detailed text is used
    /// for address, timeout and certificate errors only. For another error, that text could quote the request or the response.
    private func reason(_ code: CURLcode) -> String {
        if let problem = response.problem { return problem }
        let isHarmless = [
            CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
        ].contains(code)
        return String(cString: isHarmless && errorText[0] != 0 ? UnsafePointer(errorText) : curl_easy_strerror(code))
    }

    /// The absolute target URL of a redirect; nil if the response is not a redirect.
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
                CurlTransfer.from(context).maySend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
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

    /// Called by libcurl before each attempt to send the request. libcurl makes a second attempt if a reused connection turns out
    /// to be closed.
    /// - Returns: false to prevent the second attempt of a request that is not repeatable.
    private func maySend() -> Bool {
        sendCount += 1
        return sendCount == 1 || request.isRepeatable
    }

    /// Called by libcurl before it connects a socket to the address, if the request has a `mayConnect`.
    /// - Returns: false to prevent the connection.
    private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        let known = withUnsafePointer(to: &address.pointee.addr) {
            SocketAddress(UnsafeRawPointer($0), byteCount: Int(address.pointee.addrlen))
        }
        guard let known else { return false }
        if request.mayConnect?(known) != false { return true }
        rejectedAddress = known
        return false
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
    }
}
