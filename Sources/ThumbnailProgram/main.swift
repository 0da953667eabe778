// The program `tidegate-thumbnail FILE WIDTH HEIGHT`: prints a picture that fits into a box, as PNG if it has transparent parts,
// otherwise as JPEG. The gateway runs it for each thumbnail, so that a hostile picture harms one process with limits of its own,
// and so that the gateway does not link the decoders.

import CGdkPixbuf

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Exit codes. The gateway only tells success from failure; the codes help a person who runs the program.
enum Failure: Int32 {
    case usage = 2
    case notAPicture = 3
    case tooLarge = 4
    case undecodable = 5
    case output = 6
}

/// The formats that are decoded. The library knows others, some with decoders that few people test.
let formats: Set<String> = ["png", "jpeg", "gif", "webp"]
/// The maximum number of pixels of a picture: four bytes each.
let pixelsMax = 100_000_000
let memoryMax: UInt = 1 << 30
let cpuSecondsMax: UInt = 10
/// The interpolation of the library's last scaling.
let bilinear: Int32 = 2

func fail(_ failure: Failure) -> Never { exit(failure.rawValue) }

func limit() {
    #if canImport(Glibc)
        let limits = [(RLIMIT_AS, memoryMax), (RLIMIT_CPU, cpuSecondsMax), (RLIMIT_CORE, 0), (RLIMIT_NOFILE, 64)]
        for (resource, value) in limits {
            var bounds = rlimit(rlim_cur: value, rlim_max: value)
            setrlimit(__rlimit_resource_t(resource.rawValue), &bounds)
        }
    #else
        let limits = [(RLIMIT_CPU, cpuSecondsMax), (RLIMIT_CORE, 0), (RLIMIT_NOFILE, 64)]
        for (resource, value) in limits {
            var bounds = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(resource, &bounds)
        }
    #endif
}

/// The largest size of a picture's shape that fits into the box. A small picture keeps its size.
func fitted(_ width: Int32, _ height: Int32, into box: (width: Int32, height: Int32)) -> (width: Int32, height: Int32) {
    let scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
    return (max(1, Int32((Double(width) * scale).rounded())), max(1, Int32((Double(height) * scale).rounded())))
}

func isTransparent(_ picture: OpaquePointer) -> Bool {
    guard gdk_pixbuf_get_has_alpha(picture) != 0, let pixels = gdk_pixbuf_read_pixels(picture) else { return false }
    let stride = Int(gdk_pixbuf_get_rowstride(picture))
    for y in 0..<Int(gdk_pixbuf_get_height(picture)) {
        for x in 0..<Int(gdk_pixbuf_get_width(picture)) where pixels[y * stride + 4 * x + 3] != 255 { return true }
    }
    return false
}

/// Prints a picture on standard output.
func print(_ picture: OpaquePointer) {
    let isPNG = isTransparent(picture)
    var bytes: UnsafeMutablePointer<CChar>?
    var count = 0
    let option = (name: strdup("quality"), value: strdup("82"))
    defer { for text in [option.name, option.value] { free(text) } }
    var names = isPNG ? [nil] : [option.name, nil]
    var values = isPNG ? [nil] : [option.value, nil]
    guard gdk_pixbuf_save_to_bufferv(picture, &bytes, &count, isPNG ? "png" : "jpeg", &names, &values, nil) != 0,
        let bytes
    else { fail(.output) }
    var sent = 0
    while sent < count {
        let step = write(STDOUT_FILENO, bytes + sent, count - sent)
        if step <= 0 { fail(.output) }
        sent += step
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let boxWidth = Int32(arguments[2]), let boxHeight = Int32(arguments[3]), boxWidth > 0,
    boxHeight > 0
else { fail(.usage) }
limit()

var (width, height): (Int32, Int32) = (0, 0)
guard let format = gdk_pixbuf_get_file_info(arguments[1], &width, &height),
    let formatName = gdk_pixbuf_format_get_name(format),
    formats.contains(String(cString: formatName)), width > 0, height > 0
else { fail(.notAPicture) }
guard Int(width) * Int(height) <= pixelsMax else { fail(.tooLarge) }

// The orientation of a photo may exchange width and height, so the first size is that of a square around the box.
let side = max(boxWidth, boxHeight)
let first = fitted(width, height, into: (side, side))
guard let decoded = gdk_pixbuf_new_from_file_at_scale(arguments[1], first.width, first.height, 1, nil),
    let turned = gdk_pixbuf_apply_embedded_orientation(decoded)
else { fail(.undecodable) }
let size = fitted(gdk_pixbuf_get_width(turned), gdk_pixbuf_get_height(turned), into: (boxWidth, boxHeight))
guard let scaled = gdk_pixbuf_scale_simple(turned, size.width, size.height, bilinear) else {
    fail(.undecodable)
}
print(scaled)
