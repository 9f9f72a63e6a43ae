// How each type of field is edited in a form: as one text, which is read from what the record holds and turned into what a write takes.
import type { Cell, Field, FieldInput } from "../../api/types.ts"

type Control = "line" | "area" | "number" | "option" | "options" | "moment" | "day" | "user" | "users"

export interface Editing {
  readonly control: Control
  readonly hint?: string
  /** As the form holds it; several choices as ids with a comma between. */
  readonly text: (values: ReadonlyArray<any>) => string
  readonly input: (text: string, values: ReadonlyArray<any>) => unknown
}

const ids = (text: string) =>
  text
    .split(",")
    .filter((id) => id !== "")
    .map(Number)
const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
const orNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)
const idOrNull = (text: string) => (text === "" ? null : Number(text))

const plain = (control: Control, hint?: string): Editing => ({
  control,
  ...(hint === undefined ? {} : { hint }),
  text: ([first]) => first?.value ?? "",
  input: (text) => (text === "" ? null : text)
})

/** One entry a line. A line that stays keeps its entry; another one is a new entry. */
const byLine = (told: (entry: any) => string, kept: (entry: any) => unknown): Editing => ({
  control: "area",
  hint: "One in a line.",
  text: (values) => values.map(told).join("\n"),
  input: (text, values) =>
    orNull(
      lines(text).map((line) => {
        const entry = values.find((one) => told(one) === line)
        return entry === undefined ? line : kept(entry)
      })
    )
})

const two = (part: number) => String(part).padStart(2, "0")
/** The browser's fields speak of the reader's zone, the API of UTC. */
const localOf = (utc: string) => {
  const at = new Date(`${utc.replace(" ", "T")}Z`)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
const utcOf = (local: string) => new Date(local).toISOString().slice(0, 16).replace("T", " ")

const day: Editing = {
  control: "day",
  text: ([first]) => first?.start_date_utc ?? "",
  input: (text) => (text === "" ? null : text)
}
const moment: Editing = {
  control: "moment",
  text: ([first]) => (first === undefined ? "" : localOf(first.start_utc)),
  input: (text) => (text === "" ? null : utcOf(text))
}

const choice = (control: "option" | "user", id: (entry: any) => number): Editing => ({
  control,
  text: ([first]) => (first === undefined ? "" : String(id(first))),
  input: idOrNull
})
const choices = (control: "options" | "users", id: (entry: any) => number): Editing => ({
  control,
  text: (values) => values.map(id).join(","),
  input: (text) => orNull(ids(text))
})
const optionId = ({ value }: any) => value.id
const userId = ({ value }: any) => value.user_id

const checklist = byLine(
  ({ completed, title }) => `${completed ? "[x]" : "[ ]"} ${title}`,
  ({ id, title, description, due_at, assignee, completed }) => ({
    id,
    title,
    completed,
    ...(description === null ? {} : { description }),
    ...(due_at === null ? {} : { due_at }),
    ...(assignee === null ? {} : { assignee: assignee.user_id })
  })
)

const table: Partial<Record<Field["field_type"], Editing>> = {
  single_text: plain("line"),
  multi_text: plain("area", "This text is HTML: <p>, <b>, <i>, <a href=…>, lists."),
  number: {
    control: "number",
    text: ([first]) => (first === undefined ? "" : String(first.value)),
    input: (text) => (text === "" ? null : text)
  },
  single_category: choice("option", optionId),
  status: choice("option", optionId),
  multi_category: choices("options", optionId),
  single_user: choice("user", userId),
  multi_user: choices("users", userId),
  multi_email: byLine(
    ({ value }) => value,
    ({ id, type, value }) => ({ id, type, email: value })
  ),
  multi_phone: byLine(
    ({ value }) => value,
    ({ id, type, value }) => ({ id, type, phone: value })
  ),
  multi_link: byLine(
    ({ url }) => url,
    ({ embed_id }) => ({ embed_id })
  ),
  single_location: plain("line"),
  checklist: {
    ...checklist,
    hint: "One in a line, [x] before what is done.",
    input: (text, values) =>
      orNull(
        lines(text).map((line) => {
          const [, mark, title = line] = /^\[([ xX]?)\] ?(.*)$/.exec(line) ?? []
          const completed = mark === "x" || mark === "X"
          const entry = values.find((one) => one.title === title)
          const kept =
            entry === undefined ? {} : (checklist.input(checklist.text([entry]), [entry]) as Array<object>)[0]
          return { ...kept, title, completed }
        })
      )
  }
}

/** How this field is edited here; none for what is computed, and for ranges, relations and files, which have pages of their own to come. */
export const editingOf = (field: Field): Editing | undefined => {
  if (field.field_type !== "single_date") return table[field.field_type]
  return field.config.settings.time === "disabled" ? day : moment
}

export const textOf = (editing: Editing, cell: Cell | undefined) => editing.text(cell?.values ?? [])
export const inputFrom = (editing: Editing, text: string, cell: Cell | undefined) =>
  editing.input(text, cell?.values ?? []) as FieldInput
