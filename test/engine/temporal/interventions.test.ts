// docs/operations.md: what may be done to a workflow is said in one way, in the table and in the workflow's details.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { interventionDetails, interventions } from "../../../src/engine/temporal/interventions.ts"

describe("what cancel, terminate and reset do", () => {
  it("the table of docs/operations.md says the same as the details of workflows", () => {
    const text = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8")
    const [, table] = text.split("| Workflow | Id |")
    const rows = table!.split("\n\n")[0]!.split("\n").slice(2)
    const documentedTypes = rows.flatMap((row) => {
      const [types, , , cancel, terminate, reset] = row.slice(2, -2).split(" | ")
      return types!.split(", ").map((type) => [type.replaceAll("`", ""), { cancel, terminate, reset }] as const)
    })
    assert.deepStrictEqual(Object.fromEntries(documentedTypes), interventions)
    assert.include(interventionDetails("automationTick"), "- Reset: safe: an instant fires once.")
  })
})
