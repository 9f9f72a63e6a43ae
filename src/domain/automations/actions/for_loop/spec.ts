// Action `for_loop` (service.md 2.7, developer-api.md 7.7 rule 4): runs its steps for every item of an iterable, read once.

import { Actions } from "../../schema/Action.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { Reference } from "../../schema/dynamicValues.ts"
import { matchCondition } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const for_loop = action({
  type: "for_loop",
  label: "Loop",
  scopes: [],
  description: "Runs steps for every item of a collection or list",
  logsNoSuccess: true,
  kind: "loop",
  needs: [{ key: "iterable", code: "action_variable_missing" }],
  config: {
    iterable: unset(Reference),
    action_rows: Actions.pipe(withDefault<typeof Actions>([])),
    break_condition: matchCondition,
    continue_condition: matchCondition
  }
})
