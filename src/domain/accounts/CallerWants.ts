// What a request wants to know together with its credential, in the one query that finds it: its user's profile (service.md 7.2), and what
// decides about the resource that its path names (developer-api.md 2.3).
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { BoundedMap } from "../../ground/primitives/BoundedMap.ts"
import { hexOfToken } from "../../ground/sealing/Secrets.ts"
import { compiledOnce, slotsOf } from "../../ground/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../ground/sql/given.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import type { Sql } from "../../ground/sql/Sql.ts"
import { type AskedTogether, gathering } from "../../ground/sql/together.ts"
import type { CallerShape, OrgRole } from "./Caller.ts"
import { maybeProfile, type Profile, profileColumns, profileJoins } from "./Profile.ts"
import { isId, type Resource, ResourceFacts, type ResourceKind, resources } from "./resourceFacts.ts"
import { type SupposedValues, type Supposition, suppose } from "./suppositions.ts"

export interface CallerWants {
  readonly profile?: boolean
  readonly resource?: Resource | undefined
  /**
   * For a change whose statement holds it (./suppositions.ts): may be supposed where it was looked up before, or is looked up, so that the
   * next may be. Undefined: is looked up.
   */
  readonly supposed?: "may be" | "not yet" | undefined
}

/** The columns of a row that has them where they are wanted. */
const wantedColumns = {
  ...maybeProfile,
  facts: Schema.optionalKey(Schema.NullOr(ResourceFacts))
}

export type WantedColumns = typeof wantedColumns
type Wanted = Schema.Struct.Type<WantedColumns>

/** What may be wanted, each with a statement of its own. */
interface Shape {
  readonly profile: boolean
  readonly kind: ResourceKind | undefined
  /** Remembered as the database says it. */
  readonly kept: boolean
}

interface Values {
  /** In JSON. */
  readonly asked: string
}
const slots = slotsOf<Values>()
const supposedSlots = slotsOf<SupposedValues>()

/** Credentials that are remembered, each with what its path named: those that were looked up last. */
const KNOWN = 1_000

interface Asked {
  readonly hash: string
  /** 0 where nothing is asked of a resource, or by no id. */
  readonly resource_id: number
}

/** What was found; with what has to hold where it was only supposed. */
export type FoundCaller<Found> = Found & { readonly supposition?: Supposition }
type LookUp<Found> = (
  asked: Asked,
  supposed?: CallerWants["supposed"]
) => Effect.Effect<FoundCaller<Found> | undefined, SqlError>

/** Of the statement of a credential. */
export interface CallerParts {
  /** Further columns of a statement that reads `users u`. */
  readonly columns: Statement.Fragment
  readonly joins: Statement.Fragment
  /** What is presented, as it is stored. */
  readonly tokenHash: Statement.Fragment
}

const factsColumn = (kind: ResourceKind) => {
  const { from, id, live } = resources[kind]
  return `, (SELECT json_build_object('workspace_id', w.workspace_id, 'app_id', a.app_id, 'app_version', a.version,
      'type', w.type, 'member_role', m.role)
    FROM ${from} LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
    WHERE ${id} = asked.resource_id AND w.org_id = u.org_id${live}) AS facts`
}

/**
 * Looks a presented token up, with what is wanted of its user: all that come in one turn of the event loop in one statement.
 * @param fields of the rows of `statement`, which finds one at most
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
    place: Schema.Int,
    seen: Schema.optionalKey(Schema.String)
  })
  type Row = FoundCaller<Found> & { readonly place: number; readonly seen?: string }
  const rows = rowsOf(Placed as unknown as Schema.ConstraintDecoder<Row>)
  const tokenHash = sql.literal("decode(asked.hash, 'hex')")

  const lookup = (gather: AskedTogether, { kept, kind, profile }: Shape): LookUp<Found> => {
    const columns = sql.literal(`${profile ? `, ${profileColumns}` : ""}${kind === undefined ? "" : factsColumn(kind)}`)
    const one = statement({ columns, joins: sql.literal(profile ? profileJoins : ""), tokenHash })
    const compiled = compiledOnce<Values>(sql)
    const ofMany = (count: number) => sql`
        SELECT asked.place, found.*${sql.literal(kept ? ", to_jsonb(found)::text AS seen" : "")} FROM ${atMost(
          sql,
          count,
          sql`jsonb_to_recordset(${slots.asked}::jsonb) AS j (hash text, resource_id bigint, place int)`,
          "asked"
        )} CROSS JOIN LATERAL (${one} OFFSET 0) found`
    const ask = (asked: ReadonlyArray<Asked>) =>
      compiled(sizesOf(asked.length), { asked: JSON.stringify(asked.map((one, place) => ({ ...one, place }))) }, () =>
        ofMany(asked.length)
      )
    const look = gather((asked: ReadonlyArray<Asked>) =>
      Effect.map(rows(ask(asked)), (found) => {
        const answers = new Array<Row | undefined>(asked.length).fill(undefined)
        for (const row of found) answers[row.place] = row
        return answers
      })
    )
    if (!kept) return look
    const remembered = new BoundedMap<string, Row>(KNOWN)
    const nameOf = ({ hash, resource_id }: Asked) => `${hash} ${resource_id}`
    const looked = (asked: Asked) =>
      Effect.map(look(asked), (row) => {
        if (row === undefined) remembered.delete(nameOf(asked))
        else remembered.set(nameOf(asked), row)
        return row
      })
    const { supposed_hash, supposed_resource, supposed_seen } = supposedSlots
    const holds = sql`
      SELECT 1 FROM (SELECT ${supposed_hash}::text AS hash, ${supposed_resource}::bigint AS resource_id) AS asked
      CROSS JOIN LATERAL (${one} OFFSET 0) found WHERE to_jsonb(found) = ${supposed_seen}::jsonb`
    const supposing = ({ hash, resource_id }: Asked, { seen = "null" }: Row) =>
      suppose(holds, { supposed_hash: hash, supposed_resource: resource_id, supposed_seen: seen })
    return (asked: Asked, supposed?: CallerWants["supposed"]): ReturnType<LookUp<Found>> => {
      const known = supposed === "may be" ? remembered.get(nameOf(asked)) : undefined
      return known === undefined ? looked(asked) : Effect.succeed({ ...known, supposition: supposing(asked, known) })
    }
  }

  return Effect.map(gathering(sql), (gather) => {
    const lookups = new Map<string, LookUp<Found>>()
    const lookupOf = (shape: Shape) => {
      const name = `${shape.profile} ${shape.kind} ${shape.kept}`
      const known = lookups.get(name) ?? lookup(gather, shape)
      lookups.set(name, known)
      return known
    }
    return (token: string, { profile = false, resource, supposed }: CallerWants = {}) => {
      const resource_id = resource !== undefined && isId(resource.id) ? resource.id : 0
      const find = lookupOf({ profile, kind: resource?.kind, kept: supposed !== undefined })
      return find({ hash: hexOfToken(token), resource_id }, supposed)
    }
  })
}

/** A caller as its credential was found just now, or is supposed to be found by the change that it asks for. */
export interface ResolvedCaller extends CallerShape {
  /** Of the resource that was asked about; null where the caller's organization has none such. */
  readonly facts?: ResourceFacts | null
}

interface UserRow {
  readonly user_id: number
  readonly org_id: number
  readonly person_id: number
  readonly role: OrgRole
  readonly supposition?: Supposition
}

type Known = "userId" | "orgId" | "personId" | "role" | "author" | "facts" | "profile" | "supposition"

/** What every kind of credential tells of its caller: the user, and what was wanted of it. */
export const userOf = (row: UserRow & Wanted, { profile = false }: CallerWants): Pick<ResolvedCaller, Known> => ({
  userId: row.user_id,
  orgId: row.org_id,
  personId: row.person_id,
  role: row.role,
  author: { type: "user", user_id: row.user_id },
  ...(profile ? { profile: row as Profile } : {}),
  ...(row.facts === undefined ? {} : { facts: row.facts }),
  ...(row.supposition === undefined ? {} : { supposition: row.supposition })
})
