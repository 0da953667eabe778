import Foundation

/// A small picture, painted shape upon shape in a square of side 1, whose origin is at the top left.
struct Picture {
    struct Color {
        var red: Double
        var green: Double
        var blue: Double

        /// - Parameter hex: `0xRRGGBB`.
        init(_ hex: Int) {
            red = Double(hex >> 16 & 255) / 255
            green = Double(hex >> 8 & 255) / 255
            blue = Double(hex & 255) / 255
        }

        func mixed(with other: Color, _ share: Double) -> Color {
            var mixed = self
            mixed.red += (other.red - red) * share
            mixed.green += (other.green - green) * share
            mixed.blue += (other.blue - blue) * share
            return mixed
        }
    }

    /// Whether a point belongs to a shape.
    typealias Shape = @Sendable (_ x: Double, _ y: Double) -> Bool

    private let top: Color
    private let bottom: Color
    private var shapes: [(color: Color, contains: Shape)] = []

    /// A ground that passes from one colour into another.
    init(top: Int, bottom: Int) {
        self.top = Color(top)
        self.bottom = Color(bottom)
    }

    func with(_ color: Int, _ shape: @escaping Shape) -> Picture {
        var picture = self
        picture.shapes.append((Color(color), shape))
        return picture
    }

    static func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Shape {
        { ($0 - x) * ($0 - x) / (width * width) + ($1 - y) * ($1 - y) / (height * height) <= 1 }
    }

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Shape { ellipse(x, y, radius, radius) }

    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Shape {
        { $0 >= x && $0 <= x + width && $1 >= y && $1 <= y + height }
    }

    /// An isosceles triangle by its tip.
    static func peak(_ x: Double, _ y: Double, width: Double, height: Double) -> Shape {
        { $1 >= y && $1 <= y + height && abs($0 - x) <= width / 2 * ($1 - y) / height }
    }

    /// All that lies under a wavy line.
    static func hills(_ y: Double, height: Double, waves: Double, shift: Double) -> Shape {
        { $1 >= y - height * sin((($0 + shift) * waves) * .pi) }
    }

    /// Points strewn evenly, as the golden angle does it.
    static func strewn(_ count: Int, size: Double, above y: Double) -> Shape {
        let points = (0..<count).map { index -> (Double, Double) in
            let place = Double(index) + 0.5
            return (
                (place * 0.618_033_988_749).truncatingRemainder(dividingBy: 1),
                (place * 0.381_966_011_251 * 7.3).truncatingRemainder(dividingBy: 1) * y
            )
        }
        return { x, y in points.contains { ($0.0 - x) * ($0.0 - x) + ($0.1 - y) * ($0.1 - y) <= size * size } }
    }

    /// - Parameter side: in pixels.
    func png(side: Int = 240) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * side * side)
        for row in 0..<side {
            for column in 0..<side {
                let color = smooth(Double(column), Double(row), Double(side))
                pixels += [color.red, color.green, color.blue].map { UInt8(max(0, min(255, ($0 * 255).rounded()))) }
            }
        }
        return PNG.data(width: side, height: side, pixels: pixels)
    }

    /// The mean of four places in a pixel.
    private func smooth(_ column: Double, _ row: Double, _ side: Double) -> Color {
        let places = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
        let colors = places.map { color((column + $0.0) / side, (row + $0.1) / side) }
        return colors[0].mixed(with: colors[1], 0.5).mixed(with: colors[2].mixed(with: colors[3], 0.5), 0.5)
    }

    private func color(_ x: Double, _ y: Double) -> Color {
        shapes.last { $0.contains(x, y) }?.color ?? top.mixed(with: bottom, y)
    }
}
