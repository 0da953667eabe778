import ParseModel

/// A picture for each object of the demo, in the order of the objects.
extension DemoSeed {
    /// - Returns: nil for an object that has none.
    static func picture(of className: String, _ index: Int) -> Picture? {
        switch className {
        case "Holiday" where index < holidayPictures.count: holidayPictures[index]
        case "Birthday" where index < people.count: portrait(people[index])
        default: nil
        }
    }

    // MARK: Holidays

    private static let holidayPictures: [Picture] = [
        // Lunar New Year: lanterns.
        Picture(top: 0x5B0F1B, bottom: 0xA8202F)
            .with(0xF6C453, Picture.box(0.295, 0, 0.01, 0.3)).with(0xF6C453, Picture.box(0.695, 0, 0.01, 0.42))
            .with(0xE63B2E, Picture.ellipse(0.3, 0.42, 0.19, 0.15)).with(0xF6C453, Picture.box(0.22, 0.26, 0.16, 0.03))
            .with(0xF6C453, Picture.box(0.22, 0.55, 0.16, 0.03)).with(0xE63B2E, Picture.ellipse(0.7, 0.56, 0.19, 0.15))
            .with(0xF6C453, Picture.box(0.62, 0.40, 0.16, 0.03)).with(0xF6C453, Picture.box(0.62, 0.69, 0.16, 0.03)),
        // Saint Patrick's Day: a clover on a hill.
        Picture(top: 0xCFEFD8, bottom: 0x8FD6A4).with(0x2E8B57, Picture.hills(0.86, height: 0.05, waves: 2, shift: 0))
            .with(0x1F6B41, Picture.box(0.48, 0.55, 0.04, 0.36)).with(0x27A35A, Picture.circle(0.37, 0.5, 0.14))
            .with(0x27A35A, Picture.circle(0.63, 0.5, 0.14)).with(0x2FB567, Picture.circle(0.5, 0.32, 0.14)),
        // Nowruz: sprouts under a spring sun.
        landscape(0xBDE3F7, 0xF8F3D6, sun: 0xFFD35C, at: (0.74, 0.26), hills: [0x9BCF7C, 0x6DB155])
            .with(0xE85D75, Picture.circle(0.26, 0.72, 0.05))
            .with(0xE85D75, Picture.circle(0.4, 0.78, 0.045)).with(0xB784E0, Picture.circle(0.58, 0.74, 0.05)),
        // Songkran: drops.
        Picture(top: 0x7FD1F0, bottom: 0x2B8FC7).with(0xD9F4FF, Picture.strewn(46, size: 0.024, above: 0.8))
            .with(0x1C6FA5, Picture.hills(0.86, height: 0.03, waves: 5, shift: 0.1))
            .with(0xF2A33A, Picture.peak(0.5, 0.42, width: 0.3, height: 0.32))
            .with(0xC2571A, Picture.box(0.38, 0.74, 0.24, 0.12)),
        // King's Day: orange balloons.
        Picture(top: 0xFFE3C2, bottom: 0xFFC07A).with(0x9A5B1E, Picture.box(0.345, 0.5, 0.008, 0.5))
            .with(0x9A5B1E, Picture.box(0.645, 0.42, 0.008, 0.58)).with(
                0xF07B1A, Picture.ellipse(0.35, 0.38, 0.16, 0.2)
            )
            .with(0xE0560F, Picture.ellipse(0.65, 0.3, 0.15, 0.19)).with(0xFF9A3D, Picture.circle(0.31, 0.32, 0.045)),
        // Constitution Day: a fjord.
        landscape(0xBBD8F0, 0xEAF4FB, sun: 0xFFF1B8, at: (0.2, 0.2), hills: [0x7FA8B8, 0x2F6C9B])
            .with(0x5E7F8C, Picture.peak(0.32, 0.28, width: 0.6, height: 0.42))
            .with(0x43636F, Picture.peak(0.74, 0.2, width: 0.56, height: 0.5))
            .with(0xFFFFFF, Picture.peak(0.74, 0.2, width: 0.14, height: 0.125))
            .with(0x2F6C9B, Picture.hills(0.72, height: 0.008, waves: 9, shift: 0)),
        // Inti Raymi: the sun over the mountains.
        Picture(top: 0xF6A13C, bottom: 0xF9D77E).with(0xFFE9A8, Picture.circle(0.5, 0.42, 0.27))
            .with(0xF3B61F, Picture.circle(0.5, 0.42, 0.19)).with(
                0x8A4B2A, Picture.peak(0.24, 0.5, width: 0.7, height: 0.5)
            )
            .with(0x6E3820, Picture.peak(0.8, 0.56, width: 0.8, height: 0.44)),
        // Matariki: seven stars before dawn.
        Picture(top: 0x0B1638, bottom: 0x3E4F8A).with(0xB9C6F2, Picture.strewn(60, size: 0.005, above: 0.75))
            .with(0xF4F6FF, Picture.circle(0.5, 0.3, 0.026)).with(0xF4F6FF, Picture.circle(0.4, 0.36, 0.022))
            .with(0xF4F6FF, Picture.circle(0.58, 0.38, 0.02)).with(0xF4F6FF, Picture.circle(0.46, 0.45, 0.018))
            .with(0xF4F6FF, Picture.circle(0.64, 0.28, 0.018)).with(0xF4F6FF, Picture.circle(0.34, 0.26, 0.018))
            .with(0xF4F6FF, Picture.circle(0.55, 0.5, 0.016))
            .with(0x121A33, Picture.hills(0.86, height: 0.05, waves: 1.5, shift: 0.3)),
        // Diwali: lamps in a row.
        lamps(Picture(top: 0x1B1033, bottom: 0x3B1F5E)),
        // Day of the Dead: marigolds.
        Picture(top: 0x3A1C5C, bottom: 0x6B2D83).with(0xF28C1B, Picture.strewn(38, size: 0.045, above: 1))
            .with(0xFFC14D, Picture.strewn(38, size: 0.02, above: 1)),
        // Thanksgiving: a pumpkin.
        Picture(top: 0xF3D9B1, bottom: 0xD9A566).with(0x4E6B2F, Picture.box(0.47, 0.26, 0.06, 0.16))
            .with(0xC65B12, Picture.ellipse(0.3, 0.6, 0.2, 0.24)).with(0xC65B12, Picture.ellipse(0.7, 0.6, 0.2, 0.24))
            .with(0xE2721B, Picture.ellipse(0.4, 0.6, 0.17, 0.26)).with(0xE2721B, Picture.ellipse(0.6, 0.6, 0.17, 0.26))
            .with(0xF08A2C, Picture.ellipse(0.5, 0.6, 0.13, 0.27)),
        // Saint Lucy's Day: a fir in the snow.
        Picture(top: 0x16324F, bottom: 0x5C86AD).with(0xEAF3FA, Picture.strewn(50, size: 0.011, above: 0.95))
            .with(0xF4F8FB, Picture.hills(0.86, height: 0.03, waves: 2, shift: 0.2))
            .with(0x5A3A22, Picture.box(0.46, 0.78, 0.08, 0.1))
            .with(0x1F5E3F, Picture.peak(0.5, 0.44, width: 0.56, height: 0.36))
            .with(0x267349, Picture.peak(0.5, 0.28, width: 0.44, height: 0.32))
            .with(0x2E8656, Picture.peak(0.5, 0.14, width: 0.32, height: 0.26))
            .with(0xFFD35C, Picture.circle(0.5, 0.14, 0.035)),
    ]

    private static func landscape(
        _ top: Int, _ bottom: Int, sun: Int, at place: (x: Double, y: Double), hills: [Int]
    ) -> Picture {
        Picture(top: top, bottom: bottom).with(sun, Picture.circle(place.x, place.y, 0.11))
            .with(hills[0], Picture.hills(0.66, height: 0.06, waves: 1.6, shift: 0.1))
            .with(hills[1], Picture.hills(0.78, height: 0.05, waves: 2.3, shift: 0.5))
    }

    private static func lamps(_ ground: Picture) -> Picture {
        [0.2, 0.5, 0.8].reduce(ground) { picture, x in
            picture.with(0xFFB84D, Picture.ellipse(x, 0.5, 0.05, 0.11)).with(
                0xFFF0C2, Picture.ellipse(x, 0.53, 0.025, 0.06)
            )
            .with(0xC4622D) { Picture.ellipse(x, 0.62, 0.13, 0.13)($0, $1) && $1 >= 0.62 }
        }
    }

    // MARK: Birthdays

    private struct Person {
        let ground: Int
        let skin: Int
        let hair: Int
        let shirt: Int
        var hasLongHair = false
    }

    private static let people: [Person] = [
        Person(ground: 0xF4C95D, skin: 0xB9805A, hair: 0x241C1A, shirt: 0x7A3E9D),
        Person(ground: 0xC7E0D0, skin: 0xF0CDB0, hair: 0x8A4B2A, shirt: 0x2E7D5B, hasLongHair: true),
        Person(ground: 0xBFD4EA, skin: 0xF3D5BF, hair: 0xD9B36C, shirt: 0x28517A),
        Person(ground: 0xFFD9B8, skin: 0xEFC7A5, hair: 0xC0642B, shirt: 0xE07A1F, hasLongHair: true),
        Person(ground: 0xD9EAD0, skin: 0xEBC49B, hair: 0x1B1B22, shirt: 0x3C6E47),
        Person(ground: 0xCDE7E6, skin: 0xF6DCC8, hair: 0xA33B20, shirt: 0x1F6F78, hasLongHair: true),
        Person(ground: 0xF3D6DC, skin: 0xD9A679, hair: 0x2A1A16, shirt: 0xB03A56, hasLongHair: true),
        Person(ground: 0xD6DDF2, skin: 0x9C6B47, hair: 0x1A1513, shirt: 0x34498A),
        Person(ground: 0xFBE3C0, skin: 0xA8744C, hair: 0x1C1412, shirt: 0xC8472F, hasLongHair: true),
        Person(ground: 0xE3E8C4, skin: 0xC98F63, hair: 0x2B1E18, shirt: 0x6B7A1E),
        Person(ground: 0xDDE9F3, skin: 0xF7E0CF, hair: 0xE5C98A, shirt: 0x8C3B4A, hasLongHair: true),
        Person(ground: 0xE5D9EA, skin: 0x6F4A33, hair: 0x15110F, shirt: 0x57407A),
    ]

    private static func portrait(_ person: Person) -> Picture {
        var picture = Picture(top: person.ground, bottom: person.ground)
        if person.hasLongHair { picture = picture.with(person.hair, Picture.ellipse(0.5, 0.5, 0.27, 0.34)) }
        return picture.with(person.shirt, Picture.ellipse(0.5, 1.02, 0.36, 0.3))
            .with(person.skin, Picture.box(0.43, 0.6, 0.14, 0.16)).with(
                person.skin, Picture.ellipse(0.5, 0.45, 0.18, 0.22)
            )
            .with(person.hair) { Picture.ellipse(0.5, 0.38, 0.21, 0.21)($0, $1) && $1 < 0.36 }
            .with(0x2B2320, Picture.circle(0.43, 0.46, 0.016)).with(0x2B2320, Picture.circle(0.57, 0.46, 0.016))
            .with(0x9B4A3C) { Picture.ellipse(0.5, 0.54, 0.07, 0.05)($0, $1) && $1 > 0.55 }
    }
}
