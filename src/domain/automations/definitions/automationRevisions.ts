// Revisions of a definition as stored and shown (developer-api.md 7.2; decisions A20): each with its author and the reach of the credential
// that saved it.
import { Effect, Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { type Reach, readReach, storedReach } from "../../accounts/Authority.ts"
import { FORMAT, readStored, StoredParts } from "../input/storedDefinition.ts"
import type { Definition } from "../model/Definition.ts"
import type { RevisionView } from "./automationView.ts"
import { type AutomationRow, shownParts } from "./StoredAutomation.ts"

/** User and reach whose authority the runs of a revision have. */
export interface RevisionAuthor {
  readonly userId: number
  readonly reach: Reach
}
/** Page of revisions: at most `limit` of them, older than version `before`; all if absent. */
export interface RevisionsPart {
  readonly limit?: number
  readonly before?: number
}

const RevisionRow = Schema.Struct({
  ...StoredParts.fields,
  id: Schema.String,
  automation_id: Schema.Int,
  version: Schema.Int,
  author_id: Schema.NullOr(Schema.Int),
  author_name: Schema.NullOr(Schema.String),
  created_on: Schema.Date,
  name: Schema.String,
  paused: Schema.Boolean,
  broken: Schema.Boolean
})
type RevisionRow = typeof RevisionRow.Type
const revisionView = ({
  author_id,
  author_name,
  automation_id,
  broken,
  created_on,
  id,
  name,
  paused,
  version,
  ...stored
}: RevisionRow): RevisionView => ({
  id,
  automation_id,
  version,
  created_at: formatDateTime(created_on),
  ...(author_id === null || author_name === null ? {} : { author: { user_id: author_id, name: author_name } }),
  name,
  paused,
  broken,
  ...shownParts(readStored(stored), stored)
})

const isInt8 = (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n
/** Parameter for a JSON column. */
export const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

const StoredReach = Schema.Struct({ reach: Schema.Unknown })

const SavedDefinition = Schema.Struct({
  ...StoredParts.fields,
  author_id: Schema.NullOr(Schema.Int),
  revision_id: Schema.String
})

const RevisionId = Schema.Struct({ revision_id: Schema.String })

export const makeAutomationRevisions = (sql: Sql) => {
  /** Returns the author and reach of the present revision. */
  const authorNow = Effect.fnUntraced(function* (row: AutomationRow) {
    const reachRow = yield* rowOf(StoredReach)(sql`
      SELECT reach FROM automation_revisions WHERE revision_id = ${row.revision_id}`)
    if (reachRow === undefined) return yield* Effect.die(new Error(`revision ${row.revision_id} is gone`))
    return { userId: row.owner_id, reach: readReach(reachRow.reach) } satisfies RevisionAuthor
  })

  const insertRevision = Effect.fnUntraced(function* (row: AutomationRow, author: RevisionAuthor, now: Date) {
    yield* sql`
      INSERT INTO automation_revisions
        (revision_id, automation_id, version, author_id, reach, name, timezone, paused, broken, trigger, filter, actions,
          format, created_on)
      OVERRIDING SYSTEM VALUE VALUES (${row.revision_id}, ${row.automation_id}, ${row.version}, ${author.userId},
        ${json(storedReach(author.reach))}::jsonb, ${row.name},
        ${row.timezone}, ${row.paused}, ${row.broken}, ${json(row.trigger)}::jsonb, ${json(row.filter)}::jsonb,
        ${json(row.actions)}::jsonb, ${FORMAT}, ${now})`
  })

  const revisionColumns = sql.literal(
    `v.revision_id::text AS id, v.automation_id, v.version, v.author_id, u.name AS author_name, v.created_on, v.name, v.paused,
      v.broken, v.trigger, v.filter, v.actions, v.format FROM automation_revisions v LEFT JOIN users u ON u.user_id = v.author_id`
  )
  const revisions = Effect.fn("Automations.revisions")(function* (grant: AccessGrant, part: RevisionsPart = {}) {
    const { before, limit } = part
    const rows = yield* rowsOf(RevisionRow)(sql`
        SELECT ${revisionColumns} WHERE v.automation_id = ${grant.id} AND v.version IS NOT NULL
          AND ${before === undefined ? sql.literal("true") : sql`v.version < ${before}::int`}
        ORDER BY v.version DESC LIMIT ${limit ?? null}::int`)
    return yield* Effect.forEach(rows, (row) => Effect.as(Effect.yieldNow, revisionView(row)))
  }, orSqlDefect)
  const revision = Effect.fn("Automations.revision")(function* (grant: AccessGrant, id: string) {
    const rows = isInt8(id)
      ? yield* rowsOf(RevisionRow)(sql`
            SELECT ${revisionColumns} WHERE v.automation_id = ${grant.id} AND v.revision_id = ${id}::text::bigint
              AND v.version IS NOT NULL`)
      : []
    if (rows[0] === undefined) return yield* new NotFound({ message: `No revision with id ${id}.` })
    return revisionView(rows[0])
  }, orSqlDefect)

  /** Reads a saved revision as it is executed. */
  const savedDefinition = Effect.fnUntraced(function* (automationId: number, id: string) {
    const rows = isInt8(id)
      ? yield* rowsOf(SavedDefinition)(sql`
          SELECT revision_id::text, author_id, trigger, filter, actions, format FROM automation_revisions
          WHERE automation_id = ${automationId} AND revision_id = ${id}::text::bigint AND version IS NOT NULL`)
      : []
    if (rows[0] === undefined) return yield* new NotFound({ message: `No revision with id ${id}.` })
    const { author_id, revision_id, ...stored } = rows[0]
    return { author_id, revision_id, ...readStored(stored) }
  }, orSqlDefect)

  /** Stores a definition for a single run. It is no revision of the automation: listings omit it, and it is deleted with its run. */
  const insertSnapshot = Effect.fnUntraced(function* (
    row: AutomationRow,
    { actions, trigger }: Definition,
    author: RevisionAuthor,
    now: Date
  ) {
    const revisionRow = yield* rowOf(RevisionId)(sql`
      INSERT INTO automation_revisions
        (automation_id, author_id, reach, name, timezone, paused, broken, trigger, filter, actions, format, created_on)
      VALUES (${row.automation_id}, ${author.userId}, ${json(storedReach(author.reach))}::jsonb, ${row.name},
        ${row.timezone}, ${row.paused}, ${row.broken}, ${json(trigger)}::jsonb, NULL, ${json(actions)}::jsonb, ${FORMAT}, ${now})
      RETURNING revision_id::text`)
    return revisionRow!.revision_id
  })

  return { authorNow, insertRevision, insertSnapshot, revision, revisions, savedDefinition }
}
