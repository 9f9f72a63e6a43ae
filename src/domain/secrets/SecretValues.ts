// Values of secrets, for the engine only (developer-api.md 7.13; decisions A20): those that an author may use now, and those that a log
// must hide from everybody. In an app its own secret precedes its workspace's, and that the organization's, which only its allowed
// workspaces may use (decisions A26): for other workspaces its value is not even decrypted.
import { Context, Effect, Layer, Schema } from "effect"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { mayUse } from "../../platform/sharing/allowedUse.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { HeldRights } from "../accounts/Authority.ts"
import { selected } from "../accounts/levels.ts"
import { secretValue } from "./Secret.ts"
import { seesOrganization } from "./SecretOwner.ts"

/** App with its workspace and organization. */
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
  value: Schema.Uint8Array,
  may_use: Schema.Boolean
})
type Row = typeof Row.Type

/** Lookup result by name; `withheld` names secrets that exist but not for this workspace. */
interface SecretsThere<A> {
  readonly there: A
  readonly withheld: ReadonlySet<string>
}

/** Level that defines automations of an app, and so may let them use its secrets. */
const USING = 5

export class SecretValues extends Context.Service<
  SecretValues,
  {
    /** Values of secrets that the author may use. A secret out of the author's reach is left out, as if it did not exist. */
    readonly usable: (
      author: HeldRights,
      place: SecretPlace,
      names: ReadonlyArray<string>
    ) => Effect.Effect<SecretsThere<ReadonlyMap<string, string>>>
    readonly every: (place: SecretPlace, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** Names that exist, for any author. */
    readonly known: (
      place: SecretPlace,
      names: ReadonlyArray<string>
    ) => Effect.Effect<SecretsThere<ReadonlySet<string>>>
  }
>()("millrace/secrets/SecretValues") {
  static readonly layer = Layer.effect(
    SecretValues,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* Secrets

      const nearestFirst = ({ appId, orgId, workspaceId }: SecretPlace, names: ReadonlyArray<string>) => {
        const columns = sql`secret_id, name, workspace_id, app_id, value`
        const named = sql`FROM secrets WHERE name = ANY(${names}::text[])`
        return rowsOf(Row)(sql`
          SELECT 1 AS distance, ${columns}, true AS may_use ${named} AND app_id = ${appId}
          UNION ALL SELECT 2, ${columns}, true ${named} AND workspace_id = ${workspaceId}
          UNION ALL SELECT 3, ${columns}, ${mayUse(sql, { appId })} ${named} AND org_id = ${orgId} AND workspace_id IS NULL AND app_id IS NULL
          ORDER BY distance`)
      }
      const decryptValue = (row: Row) => Effect.orDie(secrets.decrypt(row.value, secretValue.contextOf(row)))

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
        const valuesByName = new Map<string, string>()
        const withheld = new Set<string>()
        if (names.length === 0) return { there: valuesByName, withheld }
        const hiddenNames = new Set<string>()
        for (const row of yield* nearestFirst(place, names)) {
          // Never falls back from a secret out of reach to a more distant one: that would send another value than the one meant.
          if (valuesByName.has(row.name) || hiddenNames.has(row.name)) continue
          if (!row.may_use) withheld.add(row.name)
          else if (reaches(author, place, row)) valuesByName.set(row.name, yield* decryptValue(row))
          else hiddenNames.add(row.name)
        }
        return { there: valuesByName, withheld }
      }, orSqlDefect)

      const every = Effect.fnUntraced(function* (place: SecretPlace, names: ReadonlyArray<string>) {
        if (names.length === 0) return []
        const usable = (yield* nearestFirst(place, names)).filter(({ may_use }) => may_use)
        return yield* Effect.forEach(usable, decryptValue)
      }, orSqlDefect)

      const findNames = Effect.fnUntraced(function* (place: SecretPlace, names: ReadonlyArray<string>) {
        const rows = names.length === 0 ? [] : yield* nearestFirst(place, names)
        const usableNames = new Set(rows.filter(({ may_use }) => may_use).map(({ name }) => name))
        return {
          there: usableNames,
          withheld: new Set(rows.map(({ name }) => name).filter((name) => !usableNames.has(name)))
        }
      }, orSqlDefect)

      return SecretValues.of({ usable, every, known: findNames })
    })
  )
}
