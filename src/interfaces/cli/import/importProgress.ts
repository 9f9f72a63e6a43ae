// Stores the progress of an import in a row of `installation`, updated with each batch in its transaction. So an import that was killed
// resumes where it was, and a second one that runs at the same time finds that the row has changed.
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { freeSlug } from "../../../domain/accounts/organizationSlug.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type Blocks, idKinds, sequences } from "./IdBook.ts"
import type { KnownExport } from "./ImportKind.ts"

const PREFIX = "import/"

const Block = Schema.Struct({ low: Schema.Int, high: Schema.Int, first: Schema.Int })
const Progress = Schema.Struct({
  /** Key of this import. */
  key: Schema.String,
  org_id: Schema.Int,
  blocks: Schema.Record(Schema.String, Block),
  /** The kind that is being written, and how many lines of it are. */
  kind: Schema.String,
  lines: Schema.Int,
  /** True while the import is being discarded; it cannot resume. */
  discarding: Schema.optionalKey(Schema.Boolean),
  /** Result that the import reported at its end. */
  result: Schema.NullOr(Schema.Unknown)
})
export type ImportProgress = typeof Progress.Type
const Stored = Schema.fromJsonString(Progress)
const decode = Schema.decodeUnknownEffect(Stored)

const Value = Schema.Struct({ value: Schema.String })
const First = Schema.Struct({ first: Schema.Int })
const OrgId = Schema.Struct({ org_id: Schema.Int })

/** Progress that an earlier attempt left; undefined if there is none. */
export const progressOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* Sql
  const kept = yield* rowOf(Value)(sql`SELECT value FROM installation WHERE name = ${PREFIX + name}`)
  return kept === undefined ? undefined : yield* Effect.orDie(decode(kept.value))
})

const elsewhere = new InputInvalid({
  message: "This export is being imported by somebody else; see how far they come."
})

/** Compares the value, not its text: a decoded and encoded value has its members in another order. */
const isStill = (sql: Sql, from: ImportProgress) => sql`value::jsonb = ${JSON.stringify(from)}::jsonb`

/** Moves the progress, in the transaction of the batch that was done. */
export const advance = Effect.fnUntraced(function* (name: string, from: ImportProgress, to: ImportProgress) {
  const sql = yield* Sql
  const moved = yield* sql`
    UPDATE installation SET value = ${JSON.stringify(to)}
    WHERE name = ${PREFIX + name} AND ${isStill(sql, from)} RETURNING 1`
  return moved.length === 1 ? to : yield* elsewhere
})

/** Deletes the progress in the transaction that ends a discard: the export may be imported anew. */
export const forget = Effect.fnUntraced(function* (name: string, from: ImportProgress) {
  const sql = yield* Sql
  const deletedRows = yield* sql`
    DELETE FROM installation WHERE name = ${PREFIX + name} AND ${isStill(sql, from)} RETURNING 1`
  if (deletedRows.length === 0) return yield* elsewhere
})

/** Blocks for all ids, and the organization, whose slug is free. */
export const begin = Effect.fnUntraced(function* (
  name: string,
  { book, organization }: KnownExport,
  { again, title }: { readonly again: boolean; readonly title: string | undefined },
  first: string
) {
  const sql = yield* Sql
  if (again) yield* sql`DELETE FROM installation WHERE name = ${PREFIX + name}`
  const blocks: Record<string, typeof Block.Type> = {}
  for (const kind of idKinds) {
    const span = book.spans.get(kind)
    if (span === undefined) continue
    const reservedRow = yield* rowOf(First)(sql`
      SELECT reserve_ids(${sequences[kind]}::regclass, ${span.low}::bigint, ${span.high}::bigint) AS first`)
    blocks[kind] = { ...span, first: reservedRow!.first }
  }
  book.settle(blocks as Blocks)
  const called = title ?? String(organization["name"])
  const slug = yield* freeSlug(sql, called)
  const { description, location, url, website, created_on } = organization
  const org = { org_id: book.to("org", Number(organization["org_id"])), name: called, description, location }
  const newOrganization = yield* rowOf(OrgId)(sql`
    INSERT INTO organizations (org_id, name, slug, url, description, website, location, created_on) OVERRIDING SYSTEM VALUE
    SELECT o.org_id, o.name, ${slug}, o.url, o.description, o.website, o.location, o.created_on
    FROM jsonb_to_record(${JSON.stringify({ ...org, url, website, created_on })}::jsonb) AS o (org_id bigint, name text,
        url text, description text, website text, location text, created_on timestamptz)
    RETURNING org_id`)
  const progress: ImportProgress = {
    ...{ key: randomUUID(), org_id: newOrganization!.org_id, blocks, kind: first, lines: 0, result: null }
  }
  const kept = yield* sql`
    INSERT INTO installation (name, value) VALUES (${PREFIX + name}, ${JSON.stringify(progress)})
    ON CONFLICT DO NOTHING RETURNING 1`
  return kept.length === 1 ? progress : yield* elsewhere
})
