// Placeholders in a text, `{{ record.Customer }}` (our extension, docs/api.md "Short templates"): where they stand and the path that each names.
// Reads in linear time. Pure, so that the console shares it.
import { pathText } from "../schema/path.ts"

export type TemplatePath = ReadonlyArray<string | number>

export interface Placeholder {
  readonly from: number
  /** End of the placeholder, or the position at which it cannot be read on. */
  readonly to: number
  readonly content: PlaceholderContent
}
/** `text`: a literal, by which `{{` is written; `mistake`: why it cannot be read. */
type PlaceholderContent =
  | { readonly text: string }
  | { readonly path: TemplatePath; readonly as?: string }
  | { readonly mistake: string }

const OPEN = "{{"
const CLOSE = "}}"
const blanks = /\s*/y
const bareName = /[\p{L}_$][\p{L}\p{M}\p{N}_$-]*/uy
const quotedText = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const listIndex = /\d{1,9}/y
const typeWord = /as(?=\s)/y

/** Text between quotes, with the escapes of JSON; undefined if it holds others. */
const unquote = (literal: string): string | undefined => {
  const inner = literal.slice(1, -1)
  const escaped = literal.startsWith("'")
    ? inner.replaceAll(/\\.|"/g, (match) => (match === "\\'" ? "'" : match === '"' ? '\\"' : match))
    : inner
  try {
    return JSON.parse(`"${escaped}"`) as string
  } catch {
    return undefined
  }
}

class Reader {
  readonly text: string
  at: number
  mistake: string | undefined
  constructor(text: string, from: number) {
    this.text = text
    this.at = from + OPEN.length
  }
  fail(message: string): undefined {
    this.mistake ??= message
    return undefined
  }
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0]
    this.at += match?.length ?? 0
    return match
  }
  takeText(expected: string): boolean {
    const isThere = this.text.startsWith(expected, this.at)
    if (isThere) this.at += expected.length
    return isThere
  }
  literal(): string | undefined {
    const match = this.take(quotedText)
    if (match === undefined) return undefined
    return unquote(match) ?? this.fail(`${match.slice(0, 40)} is no text with the escapes of JSON`)
  }
  /** The part of a path behind a dot or in brackets, if one follows. */
  step(): string | number | undefined {
    if (this.takeText("."))
      return this.take(bareName) ?? this.fail('expected a name behind the dot; any other stands as ["name"]')
    if (!this.takeText("[")) return undefined
    const name = this.literal()
    const index = name === undefined ? this.take(listIndex) : undefined
    const key = name ?? (index === undefined ? undefined : Number(index))
    return key !== undefined && this.takeText("]") ? key : this.fail('expected ["name"] or [0]')
  }
  close(): void {
    this.take(blanks)
    if (this.mistake !== undefined || this.takeText(CLOSE)) return
    const nextChars = this.text.slice(this.at, this.at + 10)
    this.fail(nextChars === "" ? `\`${OPEN}\` is not closed` : `unexpected ${JSON.stringify(nextChars)}`)
  }
  content(): PlaceholderContent {
    this.take(blanks)
    const head = this.take(bareName)
    const path: Array<string | number> = head === undefined ? [] : [head]
    const text = head === undefined ? this.literal() : undefined
    if (head !== undefined) for (let key = this.step(); key !== undefined; key = this.step()) path.push(key)
    else if (text === undefined) this.fail(`expected a name behind \`${OPEN}\`; a literal one is {{ "{{" }}`)
    const typeFollows = head !== undefined && this.take(blanks) !== "" && this.take(typeWord) !== undefined
    if (typeFollows) this.take(blanks)
    const as = typeFollows ? this.take(bareName) : undefined
    this.close()
    if (this.mistake !== undefined) return { mistake: this.mistake }
    return text !== undefined ? { text } : { path, ...(as === undefined ? {} : { as }) }
  }
}

/** Every placeholder of the text, those that cannot be read too. */
export const placeholdersIn = (text: string): ReadonlyArray<Placeholder> => {
  const placeholders: Array<Placeholder> = []
  for (let from = text.indexOf(OPEN); from !== -1; ) {
    const reader = new Reader(text, from)
    const content = reader.content()
    placeholders.push({ from, to: reader.at, content })
    from = text.indexOf(OPEN, reader.at)
  }
  return placeholders
}

export const placeholderText = (path: TemplatePath, as?: string): string =>
  `${OPEN} ${pathText(path)}${as === undefined ? "" : ` as ${as}`} ${CLOSE}`

/** The text with its braces as literals wherever they would be read as a placeholder. @param isLast false if a placeholder follows */
export const literalText = (text: string, isLast: boolean): string => {
  const escaped = text.replaceAll(/\{{2,}/g, (braces) => `${OPEN} ${JSON.stringify(braces)} ${CLOSE}`)
  return isLast || !escaped.endsWith("{") ? escaped : `${escaped.slice(0, -1)}${OPEN} "{" ${CLOSE}`
}
