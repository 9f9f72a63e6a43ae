// Record that another statement returns in one column, so that the next reader needs no query of its own.
import { Schema } from "effect"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { FoundRights, type FoundUntil, rightsColumn } from "../../accounts/Authority.ts"
import { RecordRow } from "../../records/model/RecordRow.ts"
import type { ReadRecord } from "../../records/writing/optimisticUpdate.ts"
import { stateOf } from "./RecordStates.ts"
import type { RecordState } from "./RunScope.ts"

export interface KnownRecord extends ReadRecord {
  readonly state: RecordState
}

export const KnownRights = FoundRights

/** SQL column: rights of the author of an automation `a` on its app. */
export const knownRights = (sql: Pick<Sql, "literal">) =>
  rightsColumn(sql, "(SELECT v.author_id FROM automation_revisions v WHERE v.revision_id = a.revision_id)", "a.app_id")

/** Facts that a claim has returned, for a run that is committed immediately. */
export interface KnownNow extends KnownRecord {
  /** Rights of the automation's author on its app. */
  readonly rights: FoundUntil | null
}

/** Schema of the column that `knownColumn` selects. */
export const KnownColumn = Schema.Struct({
  ...RecordRow.fields,
  created_on: Schema.DateFromString,
  last_modified_on: Schema.NullOr(Schema.DateFromString),
  deleted_on: Schema.NullOr(Schema.DateFromString),
  shown: Schema.String,
  version: Schema.Int
})

export const knownOf = ({ shown, version, ...row }: typeof KnownColumn.Type): KnownRecord => {
  const { org_id: _, ...facts } = row
  return { row, version, state: stateOf({ ...facts, title: shown }) }
}

const names = Object.keys(RecordRow.fields)

/** SQL column for a record `r` and its app `ra`. */
export const knownColumn = (sql: Pick<Sql, "literal">) =>
  sql.literal(
    `jsonb_build_object(${names.map((name) => `'${name}', r.${name}`).join(", ")}, 'version', ra.version, ` +
      `'shown', coalesce(r.title, ra.item_name || ' #' || r.app_record_id))`
  )
