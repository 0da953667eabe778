import CZlib

/// Decompresses gzip (RFC 1952).
enum Gunzip {
    /// - Parameter bytesMax: the maximum length of the result.
    /// - Returns: nil for an invalid or incomplete text, and for a longer result.
    static func bytes(_ compressed: [UInt8], bytesMax: Int) -> [UInt8]? {
        var stream = z_stream()
        // 15 is the window size in bits; adding 16 selects the gzip format (zlib.h).
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var isComplete = false
        let result = [UInt8](unsafeUninitializedCapacity: bytesMax) { output, count in
            compressed.withUnsafeBufferPointer { input in
                // zlib does not write through this pointer.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                isComplete = inflate(&stream, Z_FINISH) == Z_STREAM_END
                count = output.count - Int(stream.avail_out)
            }
        }
        return isComplete ? result : nil
    }
}
