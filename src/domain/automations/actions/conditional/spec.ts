// Action `conditional` (service.md 2.7): the then branch when the condition matches or is null, else the other branch.
import { unset, withDefault } from "../../schema/combinators.ts"
import { Actions, action, matchCondition } from "../spec.ts"

export const conditional = action({
  type: "conditional",
  label: "Condition",
  scopes: [],
  description: "Runs one branch or the other",
  group: "control_flow",
  rows: ["action_rows", "else_action_rows"],
  config: {
    condition: matchCondition,
    action_rows: Actions.pipe(withDefault<typeof Actions>([])),
    else_action_rows: unset(Actions)
  }
})
