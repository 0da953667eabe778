import CZlib

/// Pictures as PNG (RFC 2083), eight bits of red, green and blue.
enum PNG {
    /// - Parameter pixels: three bytes each, row by row from the top.
    static func data(width: Int, height: Int, pixels: [UInt8]) -> [UInt8] {
        precondition(pixels.count == 3 * width * height)
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.count + height)
        for row in 0..<height {
            // No filter.
            rows.append(0)
            rows += pixels[3 * width * row..<3 * width * (row + 1)]
        }
        let size = bigEndian(width) + bigEndian(height)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + [8, 2, 0, 0, 0])
            + chunk("IDAT", compressed(rows)) + chunk("IEND", [])
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(count))
        let code = compress2(&result, &count, bytes, uLong(bytes.count), 9)
        precondition(code == Z_OK, "zlib has no memory")
        return Array(result[..<Int(count)])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return bigEndian(content.count) + named + bigEndian(Int(crc32(0, named, uInt(named.count))))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
