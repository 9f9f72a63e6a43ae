// Decision of filters (service.md 2.7, decisions A6).
import { Effect, Layer } from "effect"
import { StepFailed } from "../engine/Step.ts"
import { Filters } from "../engine/Values.ts"
import { isGroup, isScript } from "./Filter.ts"

export const FiltersLive = Layer.succeed(Filters, {
  matches: (group, scope) =>
    Effect.gen(function* () {
      if (group === null || group.rows.length === 0) return true
      const record = yield* scope.current
      for (const row of group.rows) {
        if (isGroup(row) || isScript(row) || row.subject.source !== "field") {
          return yield* new StepFailed({ message: "This condition cannot be decided yet." })
        }
        const cell = record?.cells[row.subject.field_id] ?? []
        if (row.operator === "is_empty" && cell.length > 0) return false
        if (row.operator === "is_not_empty" && cell.length === 0) return false
      }
      return true
    })
})
