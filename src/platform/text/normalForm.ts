// Normalizes text to one spelling for what looks the same (Unicode's normal forms), in linear time (decisions P8). The runtime sorts each
// run of combining marks by insertion: longer runs than the Stream-Safe Text Format has (UAX #15, 13) stay as they are written.

/** Runs of more than 30 marks; two letters become marks under compatibility. */
const longRuns = /(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{31,})/u

/** Longest text that needs no care: it takes no time whatever it holds. */
const SHORT = 256

export const normalForm = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.length <= SHORT
    ? text.normalize(form)
    : text
        .split(longRuns)
        .map((part, index) => (index % 2 === 1 ? part : part.normalize(form)))
        .join("")
