// `checklist`: entries with ids; one sent with its id is kept or changed, one without is new (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { ChecklistEntry } from "../../../../platform/primitives/Cell.ts"
import type { FieldFilter } from "../contract/FieldFilter.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { id, kept, oneOrMany, orNull, text, upTo, user } from "../contract/shapes.ts"
import { keptEntries } from "../input/entryInput.ts"
import { isTimed, parseMoment } from "../input/moments.ts"
import { closed, isId, textOf } from "../input/writeInput.ts"
import { dateTest } from "../matching/dateTests.ts"
import { idsTest, presenceTest, textTest, valuesOf } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Field, ParseContext, Problem } from "../model/Field.ts"
import { noCell, type Predicates, when } from "../sql/predicates.ts"

const ChecklistSettings = Schema.Struct({
  show_in_focus: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

const EntryInput = Schema.Struct({
  id: kept,
  title: Schema.optionalKey(upTo(500).annotate({ description: "Needed for a new entry" })),
  description: Schema.optionalKey(orNull(upTo(150_000))),
  due_at: Schema.optionalKey(orNull(Schema.String)),
  assignee: Schema.optionalKey(orNull(id)),
  completed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ChecklistEntryInput" })

const keys = Object.keys(EntryInput.fields)

const entryOf = (
  input: unknown,
  known: ReadonlyMap<unknown, ChecklistEntry>,
  { entryId, now }: ParseContext
): Result.Result<ChecklistEntry, Problem> =>
  Result.gen(function* () {
    const members = typeof input === "string" ? { title: input } : yield* closed(input, keys, "a title or an entry")
    const { id, title, description, due_at, assignee, completed } = members as Record<string, unknown>
    const formerEntry = known.get(id)
    if (id !== undefined && formerEntry === undefined) {
      return yield* Result.fail(`names no entry of the record: ${JSON.stringify(id)}`)
    }
    const name = title === undefined && formerEntry ? formerEntry.title : yield* textOf(title, 500, "given a title")
    if (name.trim() === "") return yield* Result.fail("must have a title")
    const about =
      description === undefined
        ? (formerEntry?.description ?? null)
        : description === null
          ? null
          : yield* textOf(description, 150_000, "given a description that is text")
    const due =
      due_at === undefined ? (formerEntry?.due_at ?? null) : typeof due_at === "string" ? parseMoment(due_at) : null
    if (due === null && due_at !== null && due_at !== undefined)
      return yield* Result.fail("has a `due_at` that is no date")
    const who = assignee === undefined ? (formerEntry?.assignee ?? null) : assignee
    if (who !== null && !isId(who)) return yield* Result.fail("has an `assignee` that is no user id")
    const isCompleted = completed === undefined ? (formerEntry?.completed ?? false) : completed
    if (typeof isCompleted !== "boolean") return yield* Result.fail("has a `completed` that is not a boolean")
    return {
      id: formerEntry?.id ?? entryId(),
      title: name,
      description: about,
      due_at: due,
      completed: isCompleted,
      completed_at: isCompleted ? (formerEntry?.completed_at ?? now) : null,
      assignee: who
    }
  })

const noEntry =
  (key: string) =>
  (sql: Predicates, { field_id }: Field) =>
    sql.sql`NOT ${sql.someEntry(field_id, sql.lit(`e->>'${key}' IS NOT NULL`))}`

/** Filters ask of one property; some entry has to pass (4.4). */
const properties: NonNullable<FieldFilter["entries"]> = {
  title: {
    matchTypes: matchTypes.entryTitle,
    test: (filter) => textTest(filter, false),
    passes: when("text", ({ someText }, { field_id }, test) => someText(field_id, "title", test)),
    empty: noEntry("title")
  },
  assignee: {
    matchTypes: matchTypes.entryAssignee,
    test: (filter, _, context) => idsTest(filter, "any", true, context),
    passes: when("ids", ({ anyId, lit, someEntry }, { field_id }, { ids }) =>
      someEntry(field_id, anyId(lit("e->>'assignee'"), ids))
    ),
    empty: noEntry("assignee")
  },
  status: {
    matchTypes: matchTypes.entryStatus,
    test: (filter) => {
      const [value, ...more] = valuesOf(filter)
      return typeof value === "boolean" && more.length === 0
        ? Result.succeed({ is: "done", done: value })
        : Result.fail("values: must hold one boolean")
    },
    passes: when("done", ({ cell, lit, someEntry, sql }, { field_id }, { done }) => {
      const hasOpenEntry = someEntry(field_id, lit("NOT (e->>'completed')::boolean"))
      return done ? sql`(${cell(field_id)} IS NOT NULL AND NOT ${hasOpenEntry})` : hasOpenEntry
    }),
    empty: noEntry("completed")
  },
  due_date: {
    matchTypes: matchTypes.entryDueDate,
    test: (filter, _, context) => dateTest(filter, context),
    passes: when("days", ({ dayRange, lit, someEntry }, { field_id }, test) => {
      const due = lit("(e->>'due_at')")
      return someEntry(field_id, dayRange(due, due, test))
    }),
    empty: noEntry("due_at")
  }
}

export const checklist: AssignableType<"checklist", typeof ChecklistSettings.Type> = {
  tag: "checklist",
  kind: "checklist",
  type: "checklist",
  label: "Checklist",
  channels: ["text"],
  operators: "CHECK",
  assignable: true,
  multiple: true,
  titleCapable: false,
  entryIds: true,
  settings: ChecklistSettings,
  input: oneOrMany(Schema.Union([upTo(500), EntryInput])),
  parse: (input, _field, context) => keptEntries("id", input, context, entryOf),
  check: (cell, _field, found) => {
    const foreign = cell.find((entry) => {
      const { assignee } = entry as ChecklistEntry
      return assignee !== null && !found.users.has(assignee)
    })
    return foreign === undefined ? null : `names no user of the organization: ${(foreign as ChecklistEntry).assignee}`
  },
  mention: (cell, into) => {
    for (const { assignee } of cell as ReadonlyArray<ChecklistEntry>) if (assignee !== null) into.users.add(assignee)
  },
  render: (entry, _field, found) => {
    const { id, title, description, due_at, completed, completed_at, assignee } = entry as ChecklistEntry
    const due = due_at === null || isTimed(due_at) ? due_at : `${due_at} 00:00:00`
    const user = assignee === null ? null : (found.users.get(assignee) ?? null)
    return { id, title, description, due_at: due, completed, completed_at, assignee: user }
  },
  entry: Schema.Struct({
    id: Schema.Int,
    title: Schema.String,
    description: text,
    due_at: text,
    completed: Schema.Boolean,
    completed_at: text,
    assignee: orNull(user)
  }),
  text: (entry) => (entry as ChecklistEntry).title,
  compared: (cell) => ({
    set: "CHECK",
    entries: (cell as ReadonlyArray<ChecklistEntry>).map(({ completed, title }) => ({ title, done: completed }))
  }),
  filter: {
    matchTypes: [],
    ofUsers: true,
    ofDates: true,
    entries: properties,
    test: presenceTest,
    passes: ({ never }) => never,
    empty: noCell
  },
  sortKey: ({ first, sql, words }, { field_id }) => words(sql`(${first(field_id)}->>'title')`)
}
