// Decides whether a hook may read records (decisions W17). A hook reads with the rights of the person who created or last changed it,
// limited to the reach of the credential used. It sends records, or filters by them, only while both may read them.
import { Effect, Schema } from "effect"
import { Restricted } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { AccessGrant, Level } from "../accounts/Access.ts"
import {
  Authorities,
  type Authority,
  type FoundRights,
  lacking,
  levelFound,
  reachOf,
  readReach,
  storedReach
} from "../accounts/Authority.ts"

const reading = ["records:read"] as const

export const ReaderColumns = {
  author_id: Schema.Int,
  /** Reach as it is stored. */
  reach: Schema.Unknown,
  connection_ended: Schema.Boolean
} as const

/** Columns of a hook `h`, with the SQL expression of each. */
const columns = {
  author_id: "coalesce(h.author_id, h.created_by)",
  reach: "h.reach",
  connection_ended: "h.connection_ended_on IS NOT NULL"
} satisfies Record<keyof typeof ReaderColumns, string>

/** Columns for a SELECT list, and as members of a JSON object. */
export const READER = Object.entries(columns)
  .map(([name, from]) => `${from} AS ${name}`)
  .join(", ")
export const READER_JSON = Object.entries(columns)
  .map(([name, from]) => `'${name}', ${from}`)
  .join(", ")

const Reader = Schema.Struct({ org_id: Schema.Int, ...ReaderColumns })
export type HookReader = typeof Reader.Type

/** Columns that a change of a hook writes about the person who saves it. */
export interface HookSaver {
  readonly authorId: number
  /** Reach as JSON. */
  readonly reach: string | null
  readonly connectionId: number | null
}

const noRecords = "include_record and filter read records: the credential lacks the scope records:read."

/** Requires the scope for records if the changed hook reads records, whoever set it up. */
export const mayRead = ({ caller }: AccessGrant) =>
  lacking(caller, reading) === undefined ? Effect.void : Effect.fail(new Restricted({ message: noRecords }))

const Ended = Schema.Struct({ ended: Schema.Boolean })

export const makeHookSaver = Effect.map(Sql, (sql) => {
  /** Before the hook is locked, in the transaction of the change: a connection that it names does not end until then. */
  const saverOf = Effect.fnUntraced(function* ({ caller }: AccessGrant) {
    const { credential, userId } = caller
    const connectionId = credential.type === "oauth_access_token" ? credential.id : null
    if (connectionId !== null) {
      const row = yield* rowOf(Ended)(sql`
        SELECT ended_on IS NOT NULL AS ended FROM connections WHERE connection_id = ${connectionId} FOR SHARE`)
      if (row === undefined || row.ended) return yield* new Restricted({ message: "The connection has ended." })
    }
    const reach = storedReach(reachOf(caller))
    const saver: HookSaver = {
      authorId: userId,
      reach: reach === null ? null : JSON.stringify(reach),
      connectionId
    }
    return saver
  })

  /** Makes the hook read with the rights of the person who saves it. */
  const takenOver = (hookId: number, { authorId, connectionId, reach }: HookSaver) => sql`
    UPDATE hooks SET author_id = ${authorId}, reach = ${reach}::jsonb, connection_id = ${connectionId},
      connection_ended_on = NULL, record_withheld_on = NULL
    WHERE hook_id = ${hookId}`

  return { saverOf, takenOver }
})

/**
 * Reason that the hook can no longer read records of the app, or undefined.
 * @param level on the app; undefined if the author is not an active user
 */
const problemOf = ({ connection_ended, reach }: HookReader, level: Level | undefined): string | undefined => {
  if (connection_ended) return "The connection of the app that saved it last has ended."
  if (lacking(readReach(reach), reading) !== undefined)
    return "The credential that saved it last lacks the scope records:read."
  if (level === undefined) return "Who saved it last is no longer an active user."
  return level > 0 ? undefined : "Who saved it last no longer sees the records of the app."
}

/** Reason that the hook can no longer read records, by rights that a query has read. */
export const readingProblem = (hook: HookReader, rights: FoundRights | null) =>
  problemOf(hook, rights?.org_id === hook.org_id ? levelFound(rights, readReach(hook.reach)) : undefined)

export const makeHookReadRights = Effect.map(Authorities, (authorities) => {
  const authorityOf = ({ author_id, org_id, reach }: HookReader): Authority =>
    authorities.of({
      userId: author_id,
      orgId: org_id,
      author: { type: "user", user_id: author_id },
      automationId: 0,
      reach: readReach(reach)
    })

  /** Reason that the hook can no longer read records, by rights read now. */
  const problem = (hook: HookReader, appId: number) =>
    authorityOf(hook)
      .on(appId)
      .pipe(
        Effect.map(({ level }) => problemOf(hook, level)),
        Effect.catchTag("AuthorityLost", () => Effect.succeed(problemOf(hook, undefined)))
      )

  return { of: authorityOf, problem }
})
