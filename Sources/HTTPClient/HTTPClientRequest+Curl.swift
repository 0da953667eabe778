import CCurl
import Foundation
import HTTPTypes

extension HTTPClientRequest {
    /// The request headers not passed to libcurl. libcurl itself sets them as needed, except `Expect`, which is never sent.
    private static let ownHeaders: Set<HTTPField.Name> = [.connection, .contentLength, .expect, .transferEncoding]

    /// Sets the libcurl options for this request and the configuration.
    /// - Returns: libcurl's first error; nil on success.
    func configure(
        _ handle: UnsafeMutableRawPointer, _ configuration: CurlTransport.Configuration,
        _ headerList: UnsafeMutablePointer<curl_slist>?
    ) -> CURLcode? {
        var failed: CURLcode?
        func check(_ code: CURLcode) {
            if code != CURLE_OK, failed == nil { failed = code }
        }
        func set(_ option: CURLoption, _ value: Int) { check(tidegate_curl_set_long(handle, option, value)) }
        func set(_ option: CURLoption, _ value: String) { check(tidegate_curl_set_string(handle, option, value)) }

        set(CURLOPT_URL, url)
        set(CURLOPT_PATH_AS_IS, 1)
        check(tidegate_curl_allow_only_http(handle))
        // libcurl follows no redirect. The caller decides whether to send another request.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_FRESH_CONNECT, isRepeatable ? 0 : 1)
        check(tidegate_curl_set_headers(handle, headerList))
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // An empty text accepts every content coding that this libcurl can decode.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if mayUseProxy {
            set(CURLOPT_NOPROXY, ProxySettings.live.hostsWithoutProxy)
        } else {
            set(CURLOPT_PROXY, "")
        }
        setMethodAndBody(handle, check)

        // A known public key proves more than the signature of an authority and the host name.
        set(CURLOPT_SSL_VERIFYPEER, configuration.publicKeyPin == nil ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, configuration.publicKeyPin == nil ? 2 : 0)
        if let pin = configuration.publicKeyPin { set(CURLOPT_PINNEDPUBLICKEY, pin) }
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let caBundle = configuration.caBundle { set(CURLOPT_CAINFO, caBundle) }

        // Without this option, libcurl can use the signal SIGALRM to end a slow name resolution.
        set(CURLOPT_NOSIGNAL, 1)
        check(tidegate_curl_leave_resolver_behind(handle))
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        if !isEndless {
            set(CURLOPT_TIMEOUT_MS, configuration.requestTimeout.wholeMilliseconds)
            set(CURLOPT_LOW_SPEED_LIMIT, 1)
            set(CURLOPT_LOW_SPEED_TIME, Int(configuration.stallTimeout.components.seconds))
        }
        set(CURLOPT_MAXAGE_CONN, Int(configuration.idleConnectionMax.components.seconds))
        return failed
    }

    /// The request headers as a libcurl list. The caller frees the list with `curl_slist_free_all`.
    func curlHeaders() -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for field in headers where !Self.ownHeaders.contains(field.name) {
            let value = field.value
            // libcurl reads `Name;` as a header with an empty value.
            list = curl_slist_append(list, value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // The list entry `Name:` keeps libcurl from adding the header `Name`. libcurl would add `Expect`, and the content type of
        // a form if `headers` has no content type.
        list = curl_slist_append(list, "Expect:")
        if !headers.contains(.contentType) { list = curl_slist_append(list, "Content-Type:") }
        return list
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer, _ check: (CURLcode) -> Void) {
        if method == .head {
            check(tidegate_curl_set_long(handle, CURLOPT_NOBODY, 1))
        } else if let bodyFile {
            // libcurl reads the body piece by piece through the read callback.
            check(tidegate_curl_set_long(handle, CURLOPT_POST, 1))
            check(tidegate_curl_set_body_size(handle, curl_off_t(bodyFile.size)))
        } else if !body.isEmpty || [.post, .put, .patch].contains(method) {
            check(tidegate_curl_set_long(handle, CURLOPT_POST, 1))
            // With a null pointer, libcurl would read the body from standard input.
            let bytes = body.isEmpty ? [0] : body
            check(tidegate_curl_set_body(handle, bytes, curl_off_t(body.count)))
        }
        if method != .head { check(tidegate_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, method.rawValue)) }
    }
}

extension Duration {
    /// The duration in milliseconds for libcurl: at least 1, because 0 means libcurl's default; at most about 23 days, because
    /// libcurl does not accept much longer times.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(min(seconds, 2_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
