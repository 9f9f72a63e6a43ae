// Errors that keep a stored automation from running, as far as a caller may see them (developer-api.md 7.3, 7.12; decisions A20, A21).
// Validity is checked with what the author sees within the reach of the credential that saved the definition, since runs see no more.
// Errors are reported with what both author and caller see: things that are invisible to either count as missing.
import { Context, Effect, Layer } from "effect"
import type { OwnerLost } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Authorities } from "../../accounts/Authority.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { BrokenReason, ValidationModel } from "../schema/ValidationModel.ts"
import { checkRow, isValid, type Purpose } from "../validation/validateDefinition.ts"
import { makeAutomationRevisions } from "./automationRevisions.ts"
import { makeOwnerStillAdmin } from "./ownerStillAdmin.ts"
import type { AutomationRow } from "./StoredAutomation.ts"
import { ValidationModels } from "./ValidationModels.ts"

export interface Checked {
  readonly errors: ReadonlyArray<BrokenReason>
  /** Model with the things that both see. */
  readonly model: ValidationModel
}

export class DefinitionChecks extends Context.Service<
  DefinitionChecks,
  {
    /** Fails with `OwnerLost` if every run would fail, whatever the definition says. */
    readonly of: (row: AutomationRow, caller: CallerShape, purpose?: Purpose) => Effect.Effect<Checked, OwnerLost>
  }
>()("millrace/automations/definitions/DefinitionChecks") {
  static readonly layer = Layer.effect(
    DefinitionChecks,
    Effect.gen(function* () {
      const sql = yield* Sql
      const models = yield* ValidationModels
      const authorities = yield* Authorities
      const { authorNow } = makeAutomationRevisions(sql)
      const ownerStands = makeOwnerStillAdmin(sql)

      const authorOf = Effect.fnUntraced(function* (row: AutomationRow) {
        const { automation_id, org_id } = row
        return yield* authorities.of({
          ...(yield* authorNow(row)),
          ...{ orgId: org_id, author: { type: "automation", automation_id }, automationId: automation_id }
        }).present
      })

      const checkDefinition = Effect.fnUntraced(function* (
        row: AutomationRow,
        caller: CallerShape,
        purpose: Purpose = "validate"
      ) {
        yield* ownerStands(row)
        // Dies on a failure: the owner was checked above, in this transaction or a moment ago.
        const author = yield* Effect.orDie(authorOf(row))
        const model = yield* models.load(row, [author, caller])
        const errors = checkRow(row, model, purpose)
        if (isValid(errors)) return { errors, model }
        const judged = checkRow(row, yield* models.load(row, [author]), purpose)
        return { errors: isValid(judged) ? judged : errors, model }
      }, orSqlDefect)
      return DefinitionChecks.of({ of: checkDefinition })
    })
  )
}
