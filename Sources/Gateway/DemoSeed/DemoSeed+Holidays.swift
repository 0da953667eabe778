import ParseModel

extension DemoSeed {
    /// Holidays of several cultures. `observedBy` names some of the countries that observe them.
    static let holidays: [Object] = [
        holiday(
            "Lunar New Year", picture: "lunar-new-year", day: "2027-02-06",
            wikipedia: "Lunar_New_Year",
            observedBy: ["China", "Vietnam", "South Korea", "Singapore", "Malaysia"],
            details: "The first new moon of the lunar calendar opens the year of the goat. Homes are swept before "
                + "midnight, so that the luck that comes in is not swept out again, and children find red envelopes "
                + "beside the oranges."),
        holiday(
            "Saint Patrick's Day", picture: "saint-patricks-day", day: "2027-03-17",
            wikipedia: "Saint_Patrick%27s_Day",
            observedBy: ["Ireland", "United Kingdom", "United States"],
            details: "Parades, brass bands and a great deal of green. Rivers, fountains and at least one city's beer "
                + "have been dyed for the occasion."),
        holiday(
            "Nowruz", picture: "nowruz", day: "2027-03-21",
            wikipedia: "Nowruz",
            observedBy: ["Iran", "Afghanistan", "Azerbaijan", "Tajikistan", "Uzbekistan"],
            details: "The Persian new year begins at the very moment of the spring equinox. Seven things whose names "
                + "begin with the letter sin wait on the table, and the first sprouts are thrown into running water "
                + "on the thirteenth day."),
        holiday(
            "Songkran", picture: "songkran", day: "2027-04-13",
            wikipedia: "Songkran_(Thailand)",
            observedBy: ["Thailand", "Laos"],
            details: "Thailand's new year is washed in: first a few drops over the hands of the elders, then whole "
                + "buckets over everybody who is still dry."),
        holiday(
            "King's Day", picture: "kings-day", day: "2027-04-27",
            wikipedia: "Koningsdag",
            observedBy: ["Netherlands", "Aruba", "Curaçao"],
            details: "The Netherlands turn orange. For one day everyone may sell on the street without a permit, and "
                + "the attics of the country change owners."),
        holiday(
            "Constitution Day", picture: "constitution-day", day: "2027-05-17",
            wikipedia: "Constitution_Day_(Norway)",
            observedBy: ["Norway"],
            details: "In Norway the children march, not the soldiers: school bands from early morning, ice cream "
                + "without a limit, and the bunad taken out of the wardrobe."),
        holiday(
            "Inti Raymi", picture: "inti-raymi", day: "2027-06-24",
            wikipedia: "Inti_Raymi",
            observedBy: ["Peru", "Ecuador", "Bolivia"],
            details: "When the winter sun stands lowest over Cusco, the festival of the Inca asks it to come back. The "
                + "procession climbs from the Qorikancha to the walls of Sacsayhuamán."),
        holiday(
            "Matariki", picture: "matariki", day: "2027-06-25",
            wikipedia: "Matariki",
            observedBy: ["New Zealand"],
            details: "The Pleiades rise again before dawn and the Māori year begins: the names of those who died are "
                + "spoken to the stars, then there is a meal and plans are made."),
        holiday(
            "Diwali", picture: "diwali", day: "2027-10-29",
            wikipedia: "Diwali",
            observedBy: ["India", "Nepal", "Sri Lanka", "Fiji", "Mauritius"],
            details: "Rows of small oil lamps on every sill lead Lakshmi to the door. Sweets go from house to house, "
                + "and old quarrels are meant to stay behind in the dark."),
        holiday(
            "Day of the Dead", picture: "day-of-the-dead", day: "2027-11-02",
            wikipedia: "Day_of_the_Dead",
            observedBy: ["Mexico", "Guatemala"],
            details: "Marigolds mark the way home for those who are gone. Their favourite dishes stand on the altar "
                + "beside their pictures, and the night at the cemetery is anything but sad."),
        holiday(
            "Thanksgiving", picture: "thanksgiving", day: "2027-11-25",
            wikipedia: "Thanksgiving_(United_States)",
            observedBy: ["United States"],
            details: "A long table, a turkey that is always too large, and leftovers until Sunday. The fourth Thursday "
                + "in November keeps the whole country in traffic."),
        holiday(
            "Saint Lucy's Day", picture: "saint-lucys-day", day: "2027-12-13",
            wikipedia: "Saint_Lucy%27s_Day",
            observedBy: ["Sweden", "Norway", "Finland", "Italy"],
            details:
                "Early in the longest mornings a girl with candles in her hair brings saffron buns and coffee, and "
                + "a choir in white follows her."),
    ]

    private static func holiday(
        _ name: String, picture: String, day: String, wikipedia article: String, observedBy countries: [String],
        details: String
    ) -> Object {
        Object(
            fields: [
                "name": .string(name),
                "date": date(day),
                "details": .string(details),
                "wikipediaLink": .string("https://en.wikipedia.org/wiki/\(article)"),
                "observedBy": .array(countries.map { .string($0) }),
            ], picture: picture)
    }
}
