// The sample classes of the demo. Their standard view is the almanac, and their forms have labels and hints.

import { birthdays } from "./birthdays.js";
import { holidays } from "./holidays.js";

/** The presentations of the sample classes by class name. */
export const samples = new Map([holidays, birthdays].map((presentation) => [presentation.className, presentation]));
