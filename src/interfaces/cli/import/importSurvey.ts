// The first reading of an export, from which nothing is written: every line and content is judged, and what they say is kept in short.
import { Console, Effect } from "effect"
import { InboundAddresses } from "../../../domain/automations/definitions/InboundAddresses.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
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
  const knownExport = yield* nothing
  const rows: Record<string, number> = {}
  const omittedRows: Record<string, number> = {}
  const count = (kind: string, taken: boolean) => {
    const counts = taken ? rows : omittedRows
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const kind of readOrder) {
    yield* source.eachLines(
      kind,
      Effect.fnUntraced(function* (lines) {
        for (const exportLine of lines) {
          if (kind === "contents") {
            const { storage_key, ...content } = yield* contentIn(source, exportLine)
            knownExport.contents.set(storage_key, content)
          } else count(kind, (yield* Effect.fromResult(rowIn(kind, exportLine, knownExport))) !== null)
          if (exportLine.number % TOLD_EVERY === 0)
            yield* Console.error(`reading ${kind}: ${exportLine.number} of ${source.rowsOf(kind)}`)
        }
      })
    )
    if (kind === "organizations" && !(rows["organizations"] === 1 && knownExport.book.has("org", source.orgId)))
      return yield* new InputInvalid({ message: "organizations.jsonl does not hold the organization of the manifest." })
  }
  // Removed while the export was written, with its revisions.
  for (const automation of knownExport.definitions.values())
    if (!knownExport.defined.has(automation)) {
      knownExport.book.drop("automation", automation)
      count("automations", false)
      rows["automations"]!--
    }
  for (const [kind, { high, low }] of knownExport.book.spans)
    if (high - low > SPAN_AT_MOST)
      return yield* new InputInvalid({ message: `The ids of each ${kind} lie too far apart: from ${low} to ${high}.` })
  rows["people"] = knownExport.people.size
  delete omittedRows["people"]
  knownExport.first = false
  return { told: knownExport, rows, left: omittedRows }
})
export type Survey = Effect.Success<ReturnType<typeof surveyed>>
