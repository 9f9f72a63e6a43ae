// Values of secrets, for the engine alone (developer-api.md 7.13; decisions A20): those that an author reaches at this moment, and those
// that a log has to hide whoever asks. In an app, its own comes before its workspace's, and that before the organization's.
import { Context, Effect, Layer, Schema } from "effect"
import { Secrets } from "../../ground/sealing/Secrets.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import type { HeldRights } from "../accounts/Authority.ts"
import { selected } from "../accounts/levels.ts"
import { secretValue } from "./Secret.ts"
import { seesOrganization } from "./SecretOwner.ts"

/** An app with what it lies in. */
export interface SecretPlace {
  readonly orgId: number
  readonly workspaceId: number
  readonly appId: number
}

const Row = Schema.Struct({
  secret_id: Schema.Int,
  name: Schema.String,
  workspace_id: Schema.NullOr(Schema.Int),
  app_id: Schema.NullOr(Schema.Int),
  value: Schema.Uint8Array
})
type Row = typeof Row.Type

/** Who may define automations of an app may let them use its secrets. */
const USING = 5

export class SecretValues extends Context.Service<
  SecretValues,
  {
    /** By name; what the author does not reach is left out, as if it were not there. */
    readonly usable: (
      author: HeldRights,
      place: SecretPlace,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>>
    readonly every: (place: SecretPlace, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** Which of the names are there, for any author. */
    readonly known: (place: SecretPlace, names: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  }
>()("millrace/secrets/SecretValues") {
  static readonly layer = Layer.effect(
    SecretValues,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* Secrets

      const nearestFirst = ({ appId, orgId, workspaceId }: SecretPlace, names: ReadonlyArray<string>) => {
        const columns = sql`secret_id, name, workspace_id, app_id, value FROM secrets WHERE name = ANY(${names}::text[])`
        return rowsOf(Row)(sql`
          SELECT 1 AS distance, ${columns} AND app_id = ${appId}
          UNION ALL SELECT 2, ${columns} AND workspace_id = ${workspaceId}
          UNION ALL SELECT 3, ${columns} AND org_id = ${orgId} AND workspace_id IS NULL AND app_id IS NULL
          ORDER BY distance`)
      }
      const plain = (row: Row) => Effect.orDie(secrets.decrypt(row.value, secretValue.contextOf(row)))

      const reaches = ({ caller, level }: HeldRights, place: SecretPlace, { app_id, workspace_id }: Row): boolean => {
        if (level < USING) return false
        if (app_id !== null) return selected(caller.selection, place.workspaceId, app_id)
        return workspace_id === null ? seesOrganization(caller) : selected(caller.selection, workspace_id, null)
      }

      const usable = Effect.fnUntraced(function* (
        author: HeldRights,
        place: SecretPlace,
        names: ReadonlyArray<string>
      ) {
        const found = new Map<string, string>()
        if (names.length === 0) return found
        const hidden = new Set<string>()
        for (const row of yield* nearestFirst(place, names)) {
          // One that is out of reach is not stepped over: another value than the one that was meant would go out.
          if (found.has(row.name) || hidden.has(row.name)) continue
          if (reaches(author, place, row)) found.set(row.name, yield* plain(row))
          else hidden.add(row.name)
        }
        return found
      }, orSqlDefect)

      const every = Effect.fnUntraced(function* (place: SecretPlace, names: ReadonlyArray<string>) {
        return names.length === 0 ? [] : yield* Effect.forEach(yield* nearestFirst(place, names), plain)
      }, orSqlDefect)

      const known = Effect.fnUntraced(function* (place: SecretPlace, names: ReadonlyArray<string>) {
        return new Set(names.length === 0 ? [] : (yield* nearestFirst(place, names)).map(({ name }) => name))
      }, orSqlDefect)

      return SecretValues.of({ usable, every, known })
    })
  )
}
