// Names that clients give themselves are shown to people: no control, bidirectional or invisible formatting characters (O8).

export const showable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim()
