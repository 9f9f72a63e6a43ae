// Action `conditional` (service.md 2.7): the then branch when the condition matches or is null, else the other branch.

import { Actions } from "../../schema/Action.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { matchCondition } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const conditional = action({
  type: "conditional",
  label: "Condition",
  scopes: [],
  description: "Runs one branch or the other",
  logsNoSuccess: true,
  kind: "branch",
  config: {
    condition: matchCondition,
    action_rows: Actions.pipe(withDefault<typeof Actions>([])),
    else_action_rows: unset(Actions)
  }
})
