// Text that Postgres can hold: NUL characters and lone surrogates, which text and jsonb refuse, become U+FFFD.
export const storableText = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()
