// Action `for_loop` (service.md 2.7, developer-api.md 7.7 rule 4): runs its steps for every item of an iterable, read once.
import { unset, withDefault } from "../../schema/combinators.ts"
import { Reference } from "../../schema/Value.ts"
import { Actions, action, matchCondition } from "../spec.ts"

export const for_loop = action({
  type: "for_loop",
  label: "Loop",
  scopes: [],
  description: "Runs steps for every item of a collection or list",
  group: "control_flow",
  rows: ["action_rows"],
  needs: [{ key: "iterable", code: "action_variable_missing" }],
  config: {
    iterable: unset(Reference),
    action_rows: Actions.pipe(withDefault<typeof Actions>([])),
    break_condition: matchCondition,
    continue_condition: matchCondition
  }
})
