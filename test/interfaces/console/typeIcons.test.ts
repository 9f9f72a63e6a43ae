// Fields, triggers and steps of the catalogue have an icon each in the console (docs/console.md, "Parts").
import { assert, it } from "@effect/vitest"
import { fieldIcons } from "../../../console/src/ui/fieldIcons.ts"
import { flowIcon, stepIcons, triggerIcons } from "../../../console/src/ui/stepIcons.ts"
import { actionTypes } from "../../../src/domain/automations/actions/registry.ts"
import { triggers } from "../../../src/domain/automations/triggers/registry.ts"
import { fieldTypeTags } from "../../../src/domain/records/fields/registry.ts"

it("every type of field, trigger and step has an icon", () => {
  assert.sameMembers(Object.keys(fieldIcons), [...fieldTypeTags])
  assert.sameMembers(Object.keys(triggerIcons), Object.keys(triggers))
  assert.sameMembers(Object.keys(stepIcons), [...actionTypes])
  assert.strictEqual(flowIcon("for_loop"), stepIcons["for_loop"])
  assert.isDefined(flowIcon("a_type_to_come"))
})
