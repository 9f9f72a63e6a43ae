// The background pass of calculations over related records, carried out to its end.
import { Effect } from "effect"
import type { makeRelatedPass } from "../../src/domain/records/recalculation/relatedPass.ts"

type Pass = Effect.Success<typeof makeRelatedPass>

/** Works until nothing is noted. Returns the number of batches. */
export const settled = ({ work }: Pass) =>
  Effect.gen(function* () {
    let batches = 0
    while (yield* work) batches++
    return batches
  })

export const calculation = (label: string, expression: unknown, result: string, more: object = {}) => ({
  field_type: "calculation",
  config: { label, expression, result, ...more }
})
export const relation = (label: string, ...appIds: ReadonlyArray<number>) => ({
  field_type: "multi_relation",
  config: { label, settings: { referenced_apps: appIds.map((app_id) => ({ app_id })) } }
})

/** Values of a record by external id: what its entries show first. */
export const shown = (record: any): Record<string, unknown> =>
  Object.fromEntries(record.fields.map((one: any) => [one.external_id, one.values[0].value ?? one.values[0].start]))
