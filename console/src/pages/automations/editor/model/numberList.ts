// A list of whole numbers as it is typed: with commas or blanks between them.

export const numbersText = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : "")

/** Numbers of a text, in order, or undefined where something else stands in it. */
export const numbersOf = (text: string): ReadonlyArray<number> | undefined => {
  const pieces = text.split(/[\s,;]+/).filter((piece) => piece !== "")
  return pieces.every((piece) => /^-?\d{1,9}$/.test(piece)) ? pieces.map(Number) : undefined
}
