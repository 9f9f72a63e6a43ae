// What a request wants to know together with its credential, in the one query that finds it: its user's profile (service.md 7.2), and what
// decides about the resource that its path names (developer-api.md 2.3).
import { Schema } from "effect"
import type { Sql } from "../../ground/sql/Sql.ts"
import type { CallerShape } from "./Caller.ts"
import { maybeProfile, type Profile, profileColumns, profileJoins } from "./Profile.ts"
import { isId, type Resource, ResourceFacts, resources } from "./resourceFacts.ts"

export interface CallerWants {
  readonly profile?: boolean
  readonly resource?: Resource | undefined
}

/** The columns of a row that has them where they are wanted. */
export const wantedColumns = {
  ...maybeProfile,
  facts: Schema.optionalKey(Schema.NullOr(ResourceFacts))
}

const Row = Schema.Struct(wantedColumns)

/** Columns and joins of a statement that reads `users u`. */
export const makeWanted = (sql: Sql) => {
  const nothing = sql.literal("")
  const profileAsked = { columns: sql.literal(`, ${profileColumns}`), joins: sql.literal(profileJoins) }
  const facts = ({ id, kind }: Resource) => {
    const { from, id: column, live } = resources[kind]
    return sql`, (SELECT json_build_object('workspace_id', w.workspace_id, 'app_id', a.app_id, 'app_version', a.version,
        'type', w.type, 'member_role', m.role)
      FROM ${sql.literal(from)} LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
      WHERE ${sql.literal(column)} = ${isId(id) ? id : null} AND w.org_id = u.org_id${sql.literal(live)}) AS facts`
  }
  return ({ profile = false, resource }: CallerWants) => ({
    columns: profile ? profileAsked.columns : nothing,
    joins: profile ? profileAsked.joins : nothing,
    facts: resource === undefined ? nothing : facts(resource)
  })
}

/** A caller as its credential was found just now. */
export interface ResolvedCaller extends CallerShape {
  /** Of the resource that was asked about; null where the caller's organization has none such. */
  readonly facts?: ResourceFacts | null
}

/** What the caller is given of it. */
export const learned = (
  row: typeof Row.Type,
  { profile = false }: CallerWants
): Pick<ResolvedCaller, "facts" | "profile"> => ({
  ...(profile ? { profile: row as Profile } : {}),
  ...(row.facts === undefined ? {} : { facts: row.facts })
})
