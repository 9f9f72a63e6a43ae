// What keeps a stored automation from running, and what of it a caller is told (developer-api.md 7.3, 7.12; decisions A20, A21). Whether it
// is valid is judged by what its author sees within the reach of who saved it, since its runs see no more. The caller is told of what both
// see: what is invisible to either reads as if it were not there.
import { Context, Effect, Layer } from "effect"
import type { OwnerLost } from "../../../ground/primitives/errors.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { Authorities } from "../../accounts/Authority.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { BrokenReason, ValidationModel } from "../schema/ValidationModel.ts"
import { checkRow, isValid, type Purpose } from "../validation/validate.ts"
import { makeAutomationRevisionRows } from "./automationRevisionRows.ts"
import { makeOwnerStanding } from "./ownerStanding.ts"
import type { AutomationRow } from "./StoredAutomation.ts"
import { ValidationModels } from "./ValidationModels.ts"

export interface Checked {
  readonly errors: ReadonlyArray<BrokenReason>
  /** As both see it. */
  readonly model: ValidationModel
}

export class DefinitionChecks extends Context.Service<
  DefinitionChecks,
  {
    /** `OwnerLost`: every run would fail, whatever the definition says. */
    readonly of: (row: AutomationRow, caller: CallerShape, purpose?: Purpose) => Effect.Effect<Checked, OwnerLost>
  }
>()("millrace/automations/definitions/DefinitionChecks") {
  static readonly layer = Layer.effect(
    DefinitionChecks,
    Effect.gen(function* () {
      const sql = yield* Sql
      const models = yield* ValidationModels
      const authorities = yield* Authorities
      const { authorNow } = makeAutomationRevisionRows(sql)
      const ownerStands = makeOwnerStanding(sql)

      const authorOf = Effect.fnUntraced(function* (row: AutomationRow) {
        const { automation_id, org_id } = row
        return yield* authorities.of({
          ...(yield* authorNow(row)),
          ...{ orgId: org_id, author: { type: "automation", automation_id }, automationId: automation_id }
        }).present
      })

      const of = Effect.fnUntraced(function* (row: AutomationRow, caller: CallerShape, purpose: Purpose = "validate") {
        yield* ownerStands(row)
        // The owner stands, in this transaction or a moment ago.
        const author = yield* Effect.orDie(authorOf(row))
        const told = yield* models.load(row, [author, caller])
        const errors = checkRow(row, told, purpose)
        if (isValid(errors)) return { errors, model: told }
        const judged = checkRow(row, yield* models.load(row, [author]), purpose)
        return { errors: isValid(judged) ? judged : errors, model: told }
      }, orSqlDefect)
      return DefinitionChecks.of({ of })
    })
  )
}
