// Parses recipients as definitions write them: comma lists, with or without names (developer-api.md 7.6, send_email).
import addressparser from "nodemailer/lib/addressparser"

export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** Longest mailbox: a line of a header (RFC 5322 2.1.1). */
const LONGEST = 998
/** Most characters of a list. */
const LIST_AT_MOST = 100_000
/** Most entries of a list, and of all lists given at once. */
const ENTRIES_AT_MOST = 1_000

const VALID = /^[^\s@<>(),;:\\"[\]]{1,64}@(?=.{1,253}$)[^\s@<>(),;:\\"[\].]+(?:\.[^\s@<>(),;:\\"[\].]+)*$/u

/** Text for a header: one line, no control characters. */
const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a header
  text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim()

/** Text for one header line, cut to its length. */
export const headerLine = (text: string): string => oneLine(text.slice(0, LONGEST).toWellFormed())

/** End of the quoted part that begins at `from`; -1 if it never ends. */
const quoteEnd = (text: string, from: number): number => {
  for (let index = from + 1; index < text.length; index++) {
    if (text[index] === "\\") index++
    else if (text[index] === '"') return index
  }
  return -1
}

/**
 * Splits at commas outside of quotes and angle brackets: a stray word must not become part of the next one's name. A quote that never ends
 * separates, and so do all behind it; a bracket that never ends is an ordinary character. Each end is searched for once.
 */
const split = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let begin = 0
  let quotes = true
  let brackets = true
  const end = (at: number) => {
    if (at > begin && at - begin <= LONGEST) pieces.push(text.slice(begin, at))
    begin = at + 1
  }
  for (let index = 0; index < text.length && pieces.length < ENTRIES_AT_MOST; index++) {
    const char = text[index]
    if (char === "," || char === ";") end(index)
    else if (char === '"') {
      const close: number = quotes ? quoteEnd(text, index) : -1
      quotes = close >= 0
      if (quotes) index = close
      else end(index)
    } else if (char === "<" && brackets) {
      const close: number = text.indexOf(">", index)
      brackets = close >= 0
      if (brackets) index = close
    }
  }
  if (pieces.length < ENTRIES_AT_MOST) end(text.length)
  return pieces
}

/** Cuts a list that is too long after its last complete mailbox. */
const bounded = (text: string): string =>
  text.length <= LIST_AT_MOST ? text : text.slice(0, Math.max(0, text.lastIndexOf(",", LIST_AT_MOST)))

const parse = (text: string): ReadonlyArray<Mailbox> => {
  const trimmedText = text.trim()
  if (VALID.test(trimmedText)) return [{ name: "", address: trimmedText }]
  return addressparser(text, { flatten: true }).flatMap((entry) =>
    "address" in entry && entry.address !== undefined
      ? [{ name: oneLine(entry.name), address: entry.address.trim() }]
      : []
  )
}

/** Valid mailboxes of a comma list or a list of them, each address once; everything else is dropped. */
export const mailboxes = (input: string | ReadonlyArray<string> | undefined): ReadonlyArray<Mailbox> => {
  const texts = input === undefined ? [] : typeof input === "string" ? [input] : input
  const mailboxesByAddress = new Map<string, Mailbox>()
  const pieces = texts.slice(0, ENTRIES_AT_MOST).flatMap((text) => split(bounded(text)))
  for (const box of pieces.slice(0, ENTRIES_AT_MOST).flatMap(parse)) {
    const key = box.address.toLowerCase()
    if (VALID.test(box.address) && !mailboxesByAddress.has(key)) mailboxesByAddress.set(key, box)
  }
  return [...mailboxesByAddress.values()]
}

/** True if the text is exactly one mailbox. */
const isMailbox = (piece: string): boolean => {
  const text = piece.trim()
  const boxes = text.length > LONGEST ? [] : parse(text)
  return boxes.length === 1 && VALID.test(boxes[0]!.address) && (text === boxes[0]!.address || text.endsWith(">"))
}

/** True if a comma is missing between the text so far and the part that follows. */
const meetsWhole = (before: string, part: string): boolean => {
  const textEnd = before.slice(-LONGEST).trimEnd()
  const head = part.slice(0, LONGEST).trimStart()
  if (textEnd === "" || head === "" || /[,;]$/.test(textEnd) || /^[,;]/.test(head)) return false
  const firstPiece = split(head)[0] ?? ""
  if (textEnd.endsWith(">") && firstPiece.includes("<")) return true
  return isMailbox(split(textEnd).at(-1) ?? "") && isMailbox(firstPiece)
}

/**
 * Joins parts of a template to one comma list. A part may be a piece of an address, as `["Ann <", reference, ">"]`; between two that are
 * complete, as the entries of a list are, it adds a comma.
 */
export const joinedAddresses = (parts: ReadonlyArray<string>): string => {
  let text = ""
  for (const part of parts) text += meetsWhole(text, part) ? `, ${part}` : part
  return text
}

/** Entries of a comma list that hold no valid mailbox, as written. */
export const withoutAddress = (text: string): ReadonlyArray<string> =>
  split(bounded(text)).filter(
    (piece) => piece.trim() !== "" && !parse(piece).some(({ address }) => VALID.test(address))
  )
