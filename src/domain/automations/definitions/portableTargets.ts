// Finds the target of a portable file in an organization (our extension): the automation that was created there with its key, or a new one.
// Returns the file with the ids of that organization.
import { Effect, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { keyOf, makePortableFiles, type SeenApps } from "./portableFiles.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

const invalid = (message: string) => new ValidationError({ message })

const ApplyKey = Schema.Struct({ apply_key: Schema.NullOr(Schema.String) })
const AppliedAutomation = Schema.Struct({ automation_id: Schema.Int, app_id: Schema.Int })
const AutomationId = Schema.Struct({ automation_id: Schema.Int })

export const makePortableTargets = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig

  /** A copy that was imported keeps the key of its file. */
  const write = Effect.fnUntraced(function* (row: AutomationRow, sight: SeenApps) {
    const kept = yield* rowOf(ApplyKey)(sql`
      SELECT apply_key FROM automations WHERE automation_id = ${row.automation_id}`)
    const key = kept?.apply_key ?? keyOf(baseUrl, row.automation_id)
    return yield* makePortableFiles(sql, sight).write(row, key)
  })

  /** Returns the automation that the file's key identifies, if it exists. */
  const findApplied = Effect.fnUntraced(function* (orgId: number, appId: number, key: string) {
    const appliedRow = yield* rowOf(AppliedAutomation)(sql`
      SELECT automation_id, app_id FROM automations WHERE org_id = ${orgId} AND apply_key = ${key} AND deleted_on IS NULL`)
    if (appliedRow !== undefined) {
      if (appliedRow.app_id === appId) return appliedRow.automation_id
      return yield* invalid(
        `The file's automation, ${appliedRow.automation_id}, belongs to another app, ${appliedRow.app_id}.`
      )
    }
    // The automation from which the file was written stores no key: it is found by its default key.
    const unkeyedRows = yield* rowsOf(AutomationId)(sql`
      SELECT automation_id FROM automations WHERE app_id = ${appId} AND apply_key IS NULL AND deleted_on IS NULL`)
    return unkeyedRows.find(({ automation_id }) => keyOf(baseUrl, automation_id) === key)?.automation_id
  })

  /** Returns the file with the ids of the organization, and everything that is missing there. */
  const read = Effect.fnUntraced(function* (
    { key, portable, ...body }: Readonly<Record<string, unknown>>,
    { into, orgId, sight }: { readonly orgId: number; readonly into: number | undefined; readonly sight: SeenApps }
  ) {
    if (portable !== 1 && portable !== 2) {
      return yield* invalid("portable: expected 1 or 2; it is no portable file, or one of a later release.")
    }
    if (typeof key !== "string" || !/^[\w.-]{1,200}$/.test(key)) {
      return yield* invalid("key: expected 1 to 200 letters, digits, dots, dashes or underscores.")
    }
    const target = yield* makePortableFiles(sql, sight).read(orgId, portable, body, into)
    const id = target.appId === null ? undefined : yield* findApplied(orgId, target.appId, key)
    return { key, ...target, ...(id === undefined ? {} : { id }) }
  })

  /** Stores the key with the automation. */
  const keep = (automationId: number, key: string) =>
    Effect.asVoid(sql`UPDATE automations SET apply_key = ${key} WHERE automation_id = ${automationId}`)

  return { keep, read, write }
})
