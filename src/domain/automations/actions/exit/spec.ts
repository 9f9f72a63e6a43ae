// Action `exit` (developer-api.md 7.6): ends the run as completed, or failed with `exit_on_purpose`.
import { Schema } from "effect"
import { unset } from "../../schema/combinators.ts"
import { action } from "../spec.ts"

export const exit = action({
  type: "exit",
  label: "Exit",
  scopes: [],
  description: "Ends the run",
  kind: "exit",
  needs: [{ key: "exit_type", code: "action_value_missing" }],
  config: { exit_type: unset(Schema.Literals(["success", "failure"])) }
})
