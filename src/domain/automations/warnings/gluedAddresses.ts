// Warns about addresses whose parts run into each other (developer-api.md 7.13 `warnings`): a value right after a word of a URL's path, two
// values without anything between them, a parameter without `&`, recipients without a comma. Values in the URL of a request are
// percent-encoded (7.4), so that they bring no separator of their own. Pure.
import type { Definition } from "../model/Definition.ts"
import type { Warning } from "../schema/ValidationModel.ts"
import { isPlainObject } from "../schema/walk.ts"
import { placesOf, type WarnedPlace } from "./warningPlaces.ts"

const locationOf = ({ action_id, block_id }: WarnedPlace) => ({ block_id, action_id })
const quoted = (text: string) => JSON.stringify(text.length > 40 ? `…${text.slice(-40)}` : text)

const addressKeys = ["to_address", "cc_address", "bcc_address", "reply_address"] as const
/** Longest part of a URL or of recipients that is examined. */
const EXAMINED_CHARS = 2_000

/** Scheme and host, up to the first character of a path, query or fragment. */
const HOST = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i
/** Word at the end of a path: two letters at least, since a value may well follow as in `/v2`. */
const WORD_AT_END = /\/[\w~-]*[a-z]{2}$/i
/** Name of a parameter at the end, without `=`. */
const NAME_AT_END = /[?&][\w.~-]+$/
const WORD_AT_BEGIN = /^[a-z0-9]{2}/i
const NAME_AT_BEGIN = /^[\w.~-]+=/

interface Text {
  readonly text: string
  /** Value that only the run knows. */
  readonly isValue: boolean
  /** Keys follow right after a word in some addresses, such as those of Telegram's bots. */
  readonly isSecret: boolean
}

const partsOf = (items: ReadonlyArray<unknown>): ReadonlyArray<Text> =>
  items.flatMap((item): ReadonlyArray<Text> => {
    if (typeof item === "string")
      return item === "" ? [] : [{ text: item.slice(0, EXAMINED_CHARS), isValue: false, isSecret: false }]
    return [{ text: "", isValue: true, isSecret: isPlainObject(item) && item["source"] === "secret" }]
  })

/** Returns how two neighbouring parts of a URL run into each other. @param before the literal text up to the second one */
const urlMistake = (one: Text, other: Text, before: string): string | undefined => {
  const inQuery = before.includes("?")
  if (one.isValue && other.isValue)
    return inQuery
      ? undefined
      : "Two values follow each other without anything between them: put `/` or another separator there"
  if (other.isValue) {
    if (inQuery)
      return NAME_AT_END.test(one.text)
        ? `A value follows right after ${quoted(one.text)}: put \`=\` between them`
        : undefined
    return WORD_AT_END.test(one.text) && !other.isSecret
      ? `A value follows right after ${quoted(one.text)}: put \`/\` or another separator between them`
      : undefined
  }
  if (!one.isValue) return undefined
  if (NAME_AT_BEGIN.test(other.text) && before.includes("="))
    return `The parameter ${quoted(other.text)} follows right after a value: put \`&\` before it`
  return !inQuery && WORD_AT_BEGIN.test(other.text) && !NAME_AT_BEGIN.test(other.text)
    ? `${quoted(other.text)} follows right after a value: put \`/\` or another separator between them`
    : undefined
}

function* urlMistakes(parts: ReadonlyArray<Text>): Iterable<string> {
  const [first, second, third] = parts
  const host = first === undefined || first.isValue ? undefined : HOST.exec(first.text)?.[0]
  const endsInHost = host !== undefined && host === first!.text && host.includes(".") && /[a-z0-9]$/i.test(host)
  if (endsInHost && second?.isValue === true && (third === undefined || /^[/?#]/.test(third.text)))
    yield `A value follows right after the host in ${quoted(first!.text)}: put \`/\` or another separator between them`
  // A host that holds values, or is one, is left alone, up to the literal that ends it.
  let hasHost = host !== undefined && host.length < first!.text.length
  let textBefore = first?.text ?? ""
  for (const [index, part] of parts.entries()) {
    if (index === 0) continue
    const mistake = hasHost ? urlMistake(parts[index - 1]!, part, textBefore) : undefined
    if (mistake !== undefined) yield mistake
    hasHost ||= /[/?#]/.test(part.text)
    textBefore = (textBefore + part.text).slice(-EXAMINED_CHARS)
  }
}

/** Two values of one entry, with words between them that make neither a name nor an address. */
const isJoined = (entry: ReadonlyArray<Text>): boolean => {
  const values = entry.flatMap(({ isValue }, index) => (isValue ? [index] : []))
  if (values.length < 2 || entry.some(({ text }) => /[@<>"]/.test(text))) return false
  return entry.slice(values[0], values.at(-1)).some(({ text }) => /\s\S+\s|[|/]/.test(text))
}

/** Splits parts at commas and semicolons. */
const entriesOf = (parts: ReadonlyArray<Text>): ReadonlyArray<ReadonlyArray<Text>> => {
  const entries: Array<Array<Text>> = [[]]
  for (const part of parts) {
    const [head = "", ...rest] = part.text.split(/[,;]/)
    entries.at(-1)!.push({ ...part, text: head })
    for (const text of rest) entries.push([{ ...part, text }])
  }
  return entries
}

export function* gluedAddresses(definition: Definition): Iterable<Warning> {
  for (const place of placesOf(definition)) {
    if (!isPlainObject(place.value)) continue
    const url = place.value["http_call_url"]
    const urlParts = Array.isArray(url) ? partsOf(url) : []
    for (const mistake of urlMistakes(urlParts))
      yield { code: "url_parts_glued", message: `\`http_call_url\`: ${mistake}.`, ...locationOf(place) }
    for (const key of addressKeys) {
      const items = place.value[key]
      if (!Array.isArray(items) || !entriesOf(partsOf(items)).some(isJoined)) continue
      const message = `\`${key}\`: between two recipients stands no comma, so that together they are no address. Put a comma between them.`
      yield { code: "recipients_glued", message, ...locationOf(place) }
    }
  }
}
