// Warnings about a definition before it runs (developer-api.md 7.13 `warnings`): shaped like errors, but they never affect validity.
import { Context, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { syntaxOf } from "../../../platform/sandbox/scriptSyntax.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { collectedApps, creditWarnings, ITEMS_AT_MOST } from "../warnings/credits.ts"
import { emptyConditions } from "../warnings/emptyConditions.ts"
import { gluedAddresses } from "../warnings/gluedAddresses.ts"
import { loopsOfOne } from "../warnings/loopsOfOne.ts"
import { scheduleWarnings } from "../warnings/scheduleWarnings.ts"
import { droppedWarning, fieldWarnings, scriptsOf, syntaxWarning } from "../warnings/scripts.ts"
import { textWarnings } from "../warnings/texts.ts"
import { unreachable } from "../warnings/unreachable.ts"
import { makeAutomationCycles } from "./automationCycles.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

/** Maximum of warnings about one definition; a user who fixes these gets the others next. */
const TOLD_AT_ONCE = 200

const RecordCount = Schema.Struct({ app_id: Schema.Int, n: Schema.Int })
const FieldSlug = Schema.Struct({ slug: Schema.String })

export class DefinitionWarnings extends Context.Service<
  DefinitionWarnings,
  {
    /** @param caller user whose access decides through which automations a chain is followed */
    readonly of: (
      row: AutomationRow,
      model: ValidationModel,
      caller: CallerShape
    ) => Effect.Effect<ReadonlyArray<Warning>>
  }
>()("millrace/automations/definitions/DefinitionWarnings") {
  static readonly layer = Layer.effect(
    DefinitionWarnings,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { runActionsMax } = yield* AppConfig
      const chains = makeAutomationCycles(sql)

      /** Counts the live records of the apps that the definition collects, as far as they matter. */
      const ofCredits = Effect.fnUntraced(function* (row: AutomationRow, model: ValidationModel) {
        const appIds = [...collectedApps(row)].filter((id) => model.apps.has(id)).map(String)
        const counts =
          appIds.length === 0
            ? []
            : yield* rowsOf(RecordCount)(sql`
                SELECT a.app_id, (SELECT count(*)::int FROM (
                  SELECT 1 FROM records r WHERE r.app_id = a.app_id AND r.deleted_on IS NULL LIMIT ${ITEMS_AT_MOST}::int) AS live_records) AS n
                FROM apps a WHERE a.app_id = ANY(${appIds}::text[]::bigint[])`)
        return [...creditWarnings(row, model, new Map(counts.map(({ app_id, n }) => [app_id, n])), runActionsMax)]
      })

      const ofScripts = Effect.fnUntraced(function* (row: AutomationRow) {
        const scripts = [...scriptsOf(row)]
        if (scripts.length === 0) return []
        const syntax = yield* syntaxOf(scripts.map(({ mode, source }) => ({ mode, source }))).pipe(
          Effect.catchTag("SyntaxUnknown", ({ message }) => Effect.succeed(message))
        )
        const slugs = yield* rowsOf(FieldSlug)(sql`SELECT slug FROM fields WHERE app_id = ${row.app_id}`)
        const unknown = [...fieldWarnings(scripts, new Set(slugs.map(({ slug }) => slug)))]
        if (typeof syntax === "string") return [notParsed(syntax), ...unknown]
        return [
          ...syntax.flatMap(({ fault }, n) => (fault === null ? [] : [syntaxWarning(scripts[n]!, fault)])),
          ...syntax.flatMap(({ dropped }, n) => dropped.map((call) => droppedWarning(scripts[n]!, call))),
          ...unknown
        ]
      })

      const listWarnings = Effect.fn("DefinitionWarnings.of")(function* (
        row: AutomationRow,
        model: ValidationModel,
        caller: CallerShape
      ) {
        if (row.unreadable.length > 0) return []
        const warnings = [
          ...(yield* ofScripts(row)),
          ...scheduleWarnings(row, model),
          ...emptyConditions(row, model),
          ...textWarnings(row, model),
          ...gluedAddresses(row),
          ...loopsOfOne(row, model),
          ...unreachable(row),
          ...(yield* ofCredits(row, model)),
          ...(yield* chains(row, caller))
        ]
        return warnings.slice(0, TOLD_AT_ONCE)
      }, orSqlDefect)
      return DefinitionWarnings.of({ of: listWarnings })
    })
  )
}

const notParsed = (message: string): Warning => ({
  code: "script_not_parsed",
  message,
  block_id: null,
  action_id: null
})
