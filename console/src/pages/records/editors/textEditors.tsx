// Texts and numbers: one line, paragraphs, several entries with one in a line.
import { htmlOf } from "../../../../../src/platform/text/paragraphs.ts"
import { textEditors as texts } from "../../../texts/records/editors.ts"
import { isPlain, plainText } from "../../../ui/plainText.ts"
import { type ControlProps, type Editor, orNull } from "./editor.ts"

const Line = ({ id, field, draft, onChange }: ControlProps<string>) => (
  <input
    id={id}
    maxLength={500}
    required={field.config.required}
    autoComplete="off"
    value={draft}
    onChange={({ target }) => onChange(target.value)}
  />
)

const NumberLine = ({ id, field, draft, onChange }: ControlProps<string>) => (
  <input
    id={id}
    inputMode="decimal"
    required={field.config.required}
    autoComplete="off"
    value={draft}
    onChange={({ target }) => onChange(target.value)}
  />
)

const Area = ({ id, field, draft, onChange }: ControlProps<string>) => (
  <textarea
    id={id}
    className="prose"
    rows={5}
    required={field.config.required}
    value={draft}
    onChange={({ target }) => onChange(target.value)}
  />
)

const readFirstText: Editor<string>["draft"] = ([entry]) => (entry === undefined ? "" : String(entry.value))
const orEmpty = (text: string) => (text.trim() === "" ? null : text)
const typed = (text: string) => text
const textEntries = (text: string) => (text.trim() === "" ? [] : [{ value: text }])

export const line: Editor<string> = {
  Control: Line,
  draft: readFirstText,
  input: orEmpty,
  shown: textEntries,
  typed
}
export const number: Editor<string> = {
  Control: NumberLine,
  draft: readFirstText,
  input: (text) => orEmpty(text.trim()),
  // What is no number is refused, and stays as it was typed to be mended.
  shown: (text) =>
    Number.isNaN(Number(text)) ? textEntries(text) : textEntries(text).map(() => ({ value: Number(text) })),
  typed
}

/** HTML that is more than paragraphs is shown as it is, lest something of it is lost. */
export const longText: Editor<{ readonly text: string; readonly plain: boolean }> = {
  Control: ({ draft, onChange, ...rest }) => (
    <>
      <Area
        {...rest}
        draft={draft.text}
        onChange={(next) =>
          onChange((before) => ({ ...before, text: typeof next === "string" ? next : next(before.text) }))
        }
      />
      {!draft.plain && <small>{texts.thisTextIsHtml}</small>}
    </>
  ),
  draft: ([entry]) => {
    const html: string = entry?.value ?? ""
    const isPlainText = isPlain(html)
    return { text: isPlainText ? plainText(html) : html, plain: isPlainText }
  },
  input: ({ plain, text }) => (text.trim() === "" ? null : plain ? htmlOf(text) : text)
}

const lines = (text: string) =>
  text
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "")

/** Edits entries as lines. An unchanged line keeps its entry; a changed one is a new entry. */
const byLine = (told: (entry: any) => string, kept: (entry: any) => unknown): Editor<string> => ({
  Control: Area,
  hint: texts.oneInALine,
  draft: (values) => values.map(told).join("\n"),
  input: (text, values) =>
    orNull(
      lines(text).map((one) => {
        const entry = values.find((known) => told(known) === one)
        return entry === undefined ? one : kept(entry)
      })
    )
})

export const emails = byLine(
  ({ value }) => value,
  ({ id, type, value }) => ({ id, type, email: value })
)
export const phones = byLine(
  ({ value }) => value,
  ({ id, type, value }) => ({ id, type, phone: value })
)
export const links = byLine(
  ({ url }) => url,
  ({ embed_id }) => ({ embed_id })
)

const keptTask = ({ assignee, description, due_at, id }: any) => ({
  id,
  ...(description === null ? {} : { description }),
  ...(due_at === null ? {} : { due_at }),
  ...(assignee === null ? {} : { assignee: assignee.user_id })
})

export const checklist: Editor<string> = {
  Control: Area,
  hint: texts.checklist.hint,
  draft: (values) => values.map(({ completed, title }) => `${completed ? "[x]" : "[ ]"} ${title}`).join("\n"),
  input: (text, values) =>
    orNull(
      lines(text).map((one) => {
        const [, mark, title = one] = /^\[([ xX]?)\] ?(.*)$/.exec(one) ?? []
        const entry = values.find((known) => known.title === title)
        return {
          ...(entry === undefined ? {} : keptTask(entry)),
          title,
          completed: mark === "x" || mark === "X"
        }
      })
    )
}
