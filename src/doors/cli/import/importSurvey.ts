// The first reading of an export, from which nothing is written: every line and content is judged, and what they say is kept in short.
import { Console, Effect } from "effect"
import { InboundAddresses } from "../../../domain/automations/definitions/InboundAddresses.ts"
import { InputInvalid } from "../../../ground/primitives/errors.ts"
import { Secrets } from "../../../ground/sealing/Secrets.ts"
import type { ExportSource } from "./exportSource.ts"
import { IdBook } from "./IdBook.ts"
import type { KnownExport } from "./ImportKind.ts"
import { readOrder } from "./importKinds.ts"
import { contentIn, rowIn } from "./importReading.ts"

const TOLD_EVERY = 10_000
/** Largest range that `reserve_ids` reserves. */
const SPAN_AT_MOST = 100_000_000_000

const nothing = Effect.gen(function* () {
  const secrets = yield* Secrets
  const { mint } = yield* InboundAddresses
  return {
    ...{ book: new IdBook(), key: "", fields: new Map(), people: new Map(), statuses: new Map() },
    ...{ contents: new Map(), used: new Set(), definitions: new Map(), defined: new Set() },
    ...{ toEnter: { secrets: [], accounts: [], providers: [], hooks: [] }, organization: {}, limits: {}, first: true },
    ...{ secrets, mint }
  } as KnownExport
})

export const surveyed = Effect.fnUntraced(function* (source: ExportSource) {
  const told = yield* nothing
  const rows: Record<string, number> = {}
  const left: Record<string, number> = {}
  const count = (kind: string, taken: boolean) => {
    const counts = taken ? rows : left
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const kind of readOrder) {
    yield* source.eachLines(
      kind,
      Effect.fnUntraced(function* (lines) {
        for (const line of lines) {
          if (kind === "contents") {
            const { storage_key, ...content } = yield* contentIn(source, line)
            told.contents.set(storage_key, content)
          } else count(kind, (yield* Effect.fromResult(rowIn(kind, line, told))) !== null)
          if (line.number % TOLD_EVERY === 0)
            yield* Console.error(`reading ${kind}: ${line.number} of ${source.rowsOf(kind)}`)
        }
      })
    )
    if (kind === "organizations" && !(rows["organizations"] === 1 && told.book.has("org", source.orgId)))
      return yield* new InputInvalid({ message: "organizations.jsonl does not hold the organization of the manifest." })
  }
  // Removed while the export was written, with its revisions.
  for (const automation of told.definitions.values())
    if (!told.defined.has(automation)) {
      told.book.drop("automation", automation)
      count("automations", false)
      rows["automations"]!--
    }
  for (const [kind, { high, low }] of told.book.spans)
    if (high - low > SPAN_AT_MOST)
      return yield* new InputInvalid({ message: `The ids of each ${kind} lie too far apart: from ${low} to ${high}.` })
  rows["people"] = told.people.size
  delete left["people"]
  told.first = false
  return { told, rows, left }
})
export type Survey = Effect.Success<ReturnType<typeof surveyed>>
