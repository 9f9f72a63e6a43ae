// Facts that a request needs together with its credential, read in the query that looks the credential up: the user's profile (service.md
// 7.2), and the facts that decide about the resource in its path (developer-api.md 2.3).
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { hexOfToken } from "../../platform/sealing/Secrets.ts"
import { compiledOnce, slotsOf } from "../../platform/sql/compiledOnce.ts"
import { type LoadBatched, makeDataLoader } from "../../platform/sql/dataLoader.ts"
import { atMost, sizesOf } from "../../platform/sql/listParameters.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape } from "./Caller.ts"
import { maybeProfile, profileColumns, profileJoins } from "./Profile.ts"
import { conditionOf, isId, type Resource, ResourceFacts, type ResourceKind, resources } from "./resourceFacts.ts"

export interface WantedFacts {
  readonly profile?: boolean
  readonly resource?: Resource | undefined
}

/** Wanted columns of a row, each present only if it was requested. */
const wantedColumns = {
  ...maybeProfile,
  facts: Schema.optionalKey(Schema.NullOr(ResourceFacts))
}

export type WantedColumns = typeof wantedColumns
/** Facts of a row, each present only if it was requested. */
export type RowFacts = Schema.Struct.Type<WantedColumns>

/** Combination of wanted facts; each has a statement of its own. */
interface Shape {
  readonly profile: boolean
  readonly kind: ResourceKind | undefined
}

interface Values {
  /** Lookups as JSON. */
  readonly asked: string
}
const slots = slotsOf<Values>()

interface Asked {
  readonly hash: string
  /** 0 if no resource is requested, or its id is invalid. */
  readonly resource_id: number
}

type LookUp<Found> = (asked: Asked) => Effect.Effect<Found | undefined, SqlError>

/** Parts of a credential's statement. */
export interface CallerParts {
  /** Further columns of a statement that reads `users u`. */
  readonly columns: Statement.Fragment
  readonly joins: Statement.Fragment
  /** Hash of the presented token, as it is stored. */
  readonly tokenHash: Statement.Fragment
}

const factsColumn = (kind: ResourceKind) => {
  const { from, id } = resources[kind]
  return `, (SELECT json_build_object('workspace_id', w.workspace_id, 'app_id', a.app_id, 'app_version', a.version,
      'type', w.type, 'member_role', m.role)
    FROM ${from} LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
    WHERE ${id} = asked.resource_id AND w.org_id = u.org_id${conditionOf(kind, "u.user_id")}) AS facts`
}

/**
 * Looks up a presented token with the wanted facts of its user. Lookups of one event loop iteration share one statement.
 * @param fields columns of `statement`, which returns at most one row
 */
export const makeCallerLookup = <Fields extends Schema.Struct.Fields>(
  sql: Sql,
  fields: Fields,
  statement: (parts: CallerParts) => Statement.Fragment
) => {
  type Found = Schema.Struct.Type<Fields & typeof wantedColumns>
  const Placed = Schema.Struct({
    ...fields,
    ...wantedColumns,
    place: Schema.Int
  })
  type Row = Found & { readonly place: number }
  const rows = rowsOf(Placed as unknown as Schema.ConstraintDecoder<Row>)
  const tokenHash = sql.literal("decode(asked.hash, 'hex')")

  const lookup = (gather: LoadBatched, { kind, profile }: Shape): LookUp<Found> => {
    const columns = sql.literal(`${profile ? `, ${profileColumns}` : ""}${kind === undefined ? "" : factsColumn(kind)}`)
    const lookupQuery = statement({ columns, joins: sql.literal(profile ? profileJoins : ""), tokenHash })
    const compiled = compiledOnce<Values>(sql)
    const ofMany = (count: number) => sql`
        SELECT asked.place, found.* FROM ${atMost(
          sql,
          count,
          sql`jsonb_to_recordset(${slots.asked}::jsonb) AS j (hash text, resource_id bigint, place int)`,
          "asked"
        )} CROSS JOIN LATERAL (${lookupQuery} OFFSET 0) found`
    const ask = (asked: ReadonlyArray<Asked>) =>
      compiled(sizesOf(asked.length), { asked: JSON.stringify(asked.map((one, place) => ({ ...one, place }))) }, () =>
        ofMany(asked.length)
      )
    return gather((asked: ReadonlyArray<Asked>) =>
      Effect.map(rows(ask(asked)), (found) => {
        const answers = new Array<Row | undefined>(asked.length).fill(undefined)
        for (const row of found) answers[row.place] = row
        return answers
      })
    )
  }

  return Effect.map(makeDataLoader(sql), (gather) => {
    const lookups = new Map<string, LookUp<Found>>()
    const lookupOf = (shape: Shape) => {
      const name = `${shape.profile} ${shape.kind}`
      const shapeLookup = lookups.get(name) ?? lookup(gather, shape)
      lookups.set(name, shapeLookup)
      return shapeLookup
    }
    return (token: string, { profile = false, resource }: WantedFacts = {}) => {
      const resource_id = resource !== undefined && isId(resource.id) ? resource.id : 0
      return lookupOf({ profile, kind: resource?.kind })({ hash: hexOfToken(token), resource_id })
    }
  })
}

/** Facts of a resource that were looked up with a credential. */
interface ResourceLookup {
  readonly resource: Resource
  /** Null if the caller's organization has no such resource. */
  readonly facts: ResourceFacts | null
}

/** A caller as its credential was found just now. */
export interface ResolvedCaller extends CallerShape {
  readonly lookup?: ResourceLookup
}

/** Facts of a resource, if they were looked up with the caller's credential; those of another resource say nothing of it. */
export const factsOfResource = (
  { lookup }: ResolvedCaller,
  { id, kind }: Resource
): ResourceFacts | null | undefined =>
  lookup?.resource.kind === kind && lookup.resource.id === id ? lookup.facts : undefined
