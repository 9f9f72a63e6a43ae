// Entries of lists in a file: the value, with its type where that is another than work (`mobile: +43 1 234`); `[x]` before what is done.
// An entry that says more is JSON, as the API takes it.

/** Parses a cell of JSON: a list of entries or one entry; `undefined` for any other text. */
export const fromJson = (text: string): object | undefined => {
  if (!/^(?:\[\s*\{|\{)/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

const EMAIL = /^(work|home|other):\s*(.*)$/s
const PHONE = /^(work|work_fax|home|home_fax|main|mobile|pager|other):\s*(.*)$/s

interface EntryRead {
  /** Input for a write. */
  readonly input: unknown
  readonly value: string
}

export const entryOf = (field_type: string, text: string): EntryRead => {
  if (field_type === "multi_link") return { input: { url: text }, value: text }
  if (field_type === "checklist") {
    const doneTitle = /^\[[xX]\] (.*)$/s.exec(text)?.[1]
    const title = doneTitle ?? text
    return { input: { title, completed: doneTitle !== undefined }, value: title }
  }
  const isEmail = field_type === "multi_email"
  const [, type = "work", value = text] = (isEmail ? EMAIL : PHONE).exec(text) ?? []
  return { input: { type, [isEmail ? "email" : "phone"]: value }, value }
}

/** The text of an entry as the API reads it. */
export const entryText = (field_type: string, entry: any): string => {
  if (field_type === "multi_link") return entry.url
  if (field_type === "checklist") return entry.completed ? `[x] ${entry.title}` : entry.title
  return entry.type === "work" ? entry.value : `${entry.type}: ${entry.value}`
}
