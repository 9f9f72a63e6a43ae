// Portable files on the command line (our extension): written by `automation export --portable`, and what `automation apply` makes of
// one in an organization. The same file makes one automation there, however often it is applied.
import { Effect, Schema } from "effect"
import { keyOf, makePortableFiles } from "../../domain/automations/definitions/portableFiles.ts"
import { AppConfig } from "../../ground/config/Config.ts"
import { ValidationError } from "../../ground/primitives/errors.ts"
import { rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { findAutomation } from "./operatorActs.ts"

const invalid = (message: string) => new ValidationError({ message })

const ApplyKey = Schema.Struct({ apply_key: Schema.NullOr(Schema.String) })

/** A copy goes by the key of the file that has made it. */
export const exportPortable = Effect.fnUntraced(function* (id: number, format: "yaml" | "json") {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const row = yield* findAutomation(id)
  const kept = yield* rowOf(ApplyKey)(sql`SELECT apply_key FROM automations WHERE automation_id = ${id}`)
  return yield* makePortableFiles(sql).write(row, kept?.apply_key ?? keyOf(baseUrl, id), format)
})

const AppliedAutomation = Schema.Struct({ automation_id: Schema.Int, app_id: Schema.Int })

const AutomationId = Schema.Struct({ automation_id: Schema.Int })

/** The automation that the file means, if it is there already. */
const known = Effect.fnUntraced(function* (orgId: number, appId: number, key: string) {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const made = yield* rowOf(AppliedAutomation)(sql`
    SELECT automation_id, app_id FROM automations WHERE org_id = ${orgId} AND apply_key = ${key} AND deleted_on IS NULL`)
  if (made !== undefined) {
    return made.app_id === appId
      ? made.automation_id
      : yield* invalid(`The file's automation, ${made.automation_id}, belongs to another app, ${made.app_id}.`)
  }
  // Where it was written, no key is kept.
  const own = yield* rowsOf(AutomationId)(sql`
    SELECT automation_id FROM automations WHERE app_id = ${appId} AND apply_key IS NULL AND deleted_on IS NULL`)
  return own.find(({ automation_id }) => keyOf(baseUrl, automation_id) === key)?.automation_id
})

const AppOrg = Schema.Struct({ org_id: Schema.Int })

/** The file with the ids of an organization; everything that is missing there is told at once. */
export const portableTarget = Effect.fnUntraced(function* (
  { key, portable, ...body }: Readonly<Record<string, unknown>>,
  intoAppId: number | undefined,
  given: number | undefined
) {
  const sql = yield* Sql
  if (portable !== 1) return yield* invalid("portable: expected 1; a later release has written the file.")
  if (typeof key !== "string" || !/^[\w.-]{1,200}$/.test(key)) {
    return yield* invalid("key: expected 1 to 200 letters, digits, dots, dashes or underscores.")
  }
  const [app] =
    intoAppId === undefined ? [] : yield* rowsOf(AppOrg)(sql`SELECT org_id FROM apps WHERE app_id = ${intoAppId}`)
  const orgId = given ?? app?.org_id
  if (orgId === undefined) return yield* invalid("A portable file is applied in an organization: name --org or --app.")
  if (intoAppId !== undefined && app?.org_id !== orgId) {
    return yield* invalid(`Organization ${orgId} has no app with id ${intoAppId}.`)
  }
  const target = yield* makePortableFiles(sql).read(orgId, body, intoAppId)
  const id = yield* known(orgId, target.appId, key)
  return { key, ...target, ...(id === undefined ? {} : { id }) }
})
