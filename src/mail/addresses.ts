// Recipients as definitions write them: comma lists, with or without names (developer-api.md 7.6, send_email).
import addressparser from "nodemailer/lib/addressparser"

export interface Mailbox {
  readonly name: string
  readonly address: string
}

const VALID = /^[^\s@<>(),;:\\"[\]]{1,64}@(?=.{1,253}$)[^\s@<>(),;:\\"[\].]+(?:\.[^\s@<>(),;:\\"[\].]+)*$/u

/** Text for a header: one line, no control characters. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a header
  text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim()

/** At commas outside of quotes and angle brackets: a stray word must not become part of the next one's name. */
const split = (text: string): ReadonlyArray<string> => text.match(/(?:"(?:\\.|[^"\\])*"|<[^>]*>|[^,;"])+/g) ?? []

const parse = (text: string): ReadonlyArray<Mailbox> =>
  addressparser(text, { flatten: true }).flatMap((entry) =>
    "address" in entry && entry.address !== undefined
      ? [{ name: oneLine(entry.name), address: entry.address.trim() }]
      : []
  )

/** The valid mailboxes of a comma list or a list of them, each address once; whatever else is left out. */
export const mailboxes = (input: string | ReadonlyArray<string> | undefined): ReadonlyArray<Mailbox> => {
  const texts = input === undefined ? [] : typeof input === "string" ? [input] : input
  const found = new Map<string, Mailbox>()
  for (const box of texts.flatMap(split).flatMap(parse)) {
    const key = box.address.toLowerCase()
    if (VALID.test(box.address) && !found.has(key)) found.set(key, box)
  }
  return [...found.values()]
}
