// Lists the uses of a mail account or a provider before it is removed: automations with steps that name it, hooks that authenticate with
// it. Uses in apps that the caller does not administer are counted, not named.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { makeReachableApps } from "../accounts/reachableApps.ts"
import { UseRows } from "../usage/usageSchemas.ts"
import type { AccountUses } from "./providerSchemas.ts"

const HookRow = Schema.Struct({ ...UseRows.hooks.fields, app_id: Schema.Int })

export const makeAccountUses = Effect.gen(function* () {
  const sql = yield* Sql
  const reachable = makeReachableApps(sql)

  return Effect.fnUntraced(function* (
    caller: CallerShape,
    key: "smtp_account_id" | "authentication_provider_id",
    id: number
  ) {
    const path = `$.**.${key} ? (@ == $id)`
    const automations = yield* rowsOf(UseRows.automations)(sql`
      SELECT x.automation_id, x.name, x.app_id, a.name AS app_name FROM automations x JOIN apps a USING (app_id)
      WHERE x.org_id = ${caller.orgId} AND x.deleted_on IS NULL
        AND jsonb_path_exists(x.actions, ${path}::jsonpath, jsonb_build_object('id', ${id}::bigint))
      ORDER BY x.automation_id`)
    const hooks = yield* rowsOf(HookRow)(sql`
      SELECT hook_id, host, app_id FROM hooks WHERE org_id = ${caller.orgId}
        AND jsonb_path_exists(sending->'authentication', ${path}::jsonpath, jsonb_build_object('id', ${id}::bigint))
      ORDER BY hook_id`)
    const administered = new Set((yield* reachable(caller, 5)).map(({ app_id }) => app_id))
    const filterAdministered = <A extends { readonly app_id: number }>(all: ReadonlyArray<A>) =>
      all.filter(({ app_id }) => administered.has(app_id))
    const visibleUses = { automations: filterAdministered(automations), hooks: filterAdministered(hooks) }
    const uses: AccountUses = {
      automations: visibleUses.automations,
      other_automations: automations.length - visibleUses.automations.length,
      hooks: visibleUses.hooks.map(({ hook_id, host }) => ({ hook_id, host })),
      other_hooks: hooks.length - visibleUses.hooks.length
    }
    return uses
  })
})
