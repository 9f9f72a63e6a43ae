// Write input of fields whose entries have ids: an entry with its id is kept or changed, one without is new, one not sent is removed
// (developer-api.md 3.2).
import { Result } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { ParseContext, Parsed } from "../model/Field.ts"
import { type CheckedInput, each, MAX_ENTRIES } from "./writeInput.ts"

/** An entry field's input: one item or an array of them. */
const entriesOf = (input: unknown, f: (item: unknown) => CheckedInput<Entry>): Parsed => {
  if (!Array.isArray(input)) return Result.map(f(input), (entry): Cell => [entry])
  if (input.length > MAX_ENTRIES) return Result.fail(`must have at most ${MAX_ENTRIES} entries`)
  return each(input, f)
}

const idIn = (entry: Entry, key: "id" | "embed_id") => (entry as unknown as Record<string, unknown>)[key]

/** Entries keep their id: the same id twice in one write is a mistake. */
const distinctIds =
  (key: "id" | "embed_id") =>
  (cell: Cell): Parsed => {
    const ids = new Set<unknown>()
    for (const entry of cell) {
      const id = idIn(entry, key)
      if (ids.has(id)) return Result.fail(`names entry ${id} twice`)
      ids.add(id)
    }
    return Result.succeed(cell)
  }

/**
 * A list of entries that keep their ids; "" stands for none.
 * @param entryOf one of them; `known`: those that the field has, by their id, since their list is not looked through for each that is sent
 */
export const keptEntries = <E extends Entry>(
  key: "id" | "embed_id",
  input: unknown,
  context: ParseContext,
  entryOf: (item: unknown, known: ReadonlyMap<unknown, E>, context: ParseContext) => CheckedInput<E>
): Parsed => {
  if (input === "") return Result.succeed([])
  const formerEntries = new Map(context.previous.map((entry) => [idIn(entry, key), entry as E]))
  return Result.flatMap(
    entriesOf(input, (item) => entryOf(item, formerEntries, context)),
    distinctIds(key)
  )
}
