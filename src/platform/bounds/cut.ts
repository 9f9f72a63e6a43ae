// Texts from outside as messages repeat them (decisions P7).

/** Longest key or text that a message repeats. */
const SHOWN = 80

/** Text cut as a message may repeat it. */
export const cut = (text: string, length = SHOWN): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
