import ParseModel

extension DemoSeed {
    /// Birthdays of fictional people.
    static let birthdays: [Object] = [
        birthday(
            "Amaru Quilla", picture: "amaru-quilla", day: "2027-01-19",
            facebook: "tidegate.example.amaru.quilla",
            giftIdeas: "Hiking socks that survive a summer; the big map of the Vilcanota range."),
        birthday(
            "Mirela Vossberg", picture: "mirela-vossberg", day: "2027-02-11",
            facebook: "tidegate.example.mirela.vossberg",
            giftIdeas: "A lamp for the balcony, seeds of old tomato varieties."),
        birthday(
            "Tobias Ankerhjelm", picture: "tobias-ankerhjelm", day: "2027-02-28",
            facebook: "tidegate.example.tobias.ankerhjelm",
            giftIdeas: "Anything about lighthouses. Not another mug."),
        birthday(
            "Noor van Duinen", picture: "noor-van-duinen", day: "2027-03-30",
            facebook: "tidegate.example.noor.van.duinen",
            giftIdeas: "Orange yarn, the thick one; two tickets for the swing concert."),
        birthday(
            "Kaito Hoshikawa", picture: "kaito-hoshikawa", day: "2027-04-22",
            facebook: "tidegate.example.kaito.hoshikawa",
            giftIdeas: "A fountain pen with a fine nib and green ink."),
        birthday(
            "Siobhán Ní Fharraige", picture: "siobhan-ni-fharraige", day: "2027-05-09",
            facebook: "tidegate.example.siobhan.ni.fharraige",
            giftIdeas: "The second volume of the bird guide, or a day of sailing together."),
        birthday(
            "Leila Farrokhpour", picture: "leila-farrokhpour", day: "2027-06-14",
            facebook: "tidegate.example.leila.farrokhpour",
            giftIdeas: "Pistachios, good ones. A frame for the print from Shiraz."),
        birthday(
            "Hemi Tāwhirirangi", picture: "hemi-tawhirirangi", day: "2027-07-03",
            facebook: "tidegate.example.hemi.tawhirirangi",
            giftIdeas: "A head torch for the night walks, red light included."),
        birthday(
            "Priyanka Deolikar", picture: "priyanka-deolikar", day: "2027-08-17",
            facebook: "tidegate.example.priyanka.deolikar",
            giftIdeas: "A set of small brass lamps; the cookbook that she keeps borrowing."),
        birthday(
            "Emiliano Xochimitl", picture: "emiliano-xochimitl", day: "2027-09-05",
            facebook: "tidegate.example.emiliano.xochimitl",
            giftIdeas: "Guitar strings, nylon, high tension."),
        birthday(
            "Freja Solbakken", picture: "freja-solbakken", day: "2027-10-21",
            facebook: "tidegate.example.freja.solbakken",
            giftIdeas: "Waffle iron. Hearts, not squares."),
        birthday(
            "Winston Oakhollow", picture: "winston-oakhollow", day: "2027-12-08",
            facebook: "tidegate.example.winston.oakhollow",
            giftIdeas: "A puzzle with at least two thousand pieces and no sky in it."),
    ]

    private static func birthday(
        _ name: String, picture: String, day: String, facebook profile: String, giftIdeas: String
    ) -> Object {
        Object(
            fields: [
                "name": .string(name),
                "date": date(day),
                "giftIdeas": .string(giftIdeas),
                "facebook": .string("https://www.facebook.com/\(profile)"),
            ], picture: picture)
    }
}
