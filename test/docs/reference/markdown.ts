// Markdown of the reference pages: tables, lists and JSON that stays on few lines.

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n")

export const code = (text: string): string => `\`${text}\``

/** `a`, `b` and `c`. */
export const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** Adds the full stop that the catalogue leaves out. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const LINE_AT_MOST = 120

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null

const oneLine = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(oneLine).join(", ")}]`
  if (!isNested(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** JSON whose parts stand on one line each where they fit. `lead` is the length of the text before it on its line. */
const json = (value: unknown, indent: string, lead: number): string => {
  const cellLine = oneLine(value)
  if (!isNested(value) || indent.length + lead + cellLine.length <= LINE_AT_MOST) return cellLine
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => json(item, inner, 0))
    : Object.entries(value).map(([key, member]) => {
        const name = `${JSON.stringify(key)}: `
        return name + json(member, inner, name.length)
      })
  const [opening, closing] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${opening}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${closing}`
}

export const jsonBlock = (value: unknown): string => `\`\`\`json\n${json(value, "", 0)}\n\`\`\``

export const page = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`
