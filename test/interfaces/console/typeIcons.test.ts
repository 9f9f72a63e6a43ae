// Fields, triggers and steps of the catalogue have an icon each in the console (docs/console.md, "Parts").
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { actionTypes } from "../../../src/domain/automations/actions/registry.ts"
import { triggers } from "../../../src/domain/automations/triggers/registry.ts"
import { fieldTypeTags } from "../../../src/domain/records/fields/registry.ts"

/** Module of the console's parts. Its types are checked with those of the browser, which tests do not have. */
const partOf = (name: string): Promise<any> =>
  import(fileURLToPath(new URL(`../../../console/src/ui/${name}`, import.meta.url)))

it("every type of field, trigger and step has an icon", async () => {
  const { fieldIcons } = await partOf("fieldIcons.ts")
  const { flowIcon } = await partOf("stepIcons.ts")
  assert.sameMembers(Object.keys(fieldIcons), [...fieldTypeTags])
  const laterIcon = flowIcon("a_type_to_come")
  assert.isDefined(laterIcon)
  for (const type of [...Object.keys(triggers), ...actionTypes]) assert.notStrictEqual(flowIcon(type), laterIcon, type)
})
