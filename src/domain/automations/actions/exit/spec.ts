// Action `exit` (developer-api.md 7.6): ends the run as completed, or failed with `exit_on_purpose`; or answers who waits for the run at its
// inbound address, while it goes on (7.9).
import { Schema } from "effect"
import { unset } from "../../schema/combinators.ts"
import { action } from "../spec.ts"

export const exit = action({
  type: "exit",
  label: "Exit",
  scopes: [],
  description: "Ends the run, or answers a sync webhook's sender and goes on",
  kind: "exit",
  needs: [{ key: "exit_type", code: "action_value_missing" }],
  config: { exit_type: unset(Schema.Literals(["success", "failure", "respond"])) },
  check: function* ({ exit_type }, { isAwaited }) {
    if (exit_type === "respond" && !isAwaited)
      yield {
        code: "action_invalid",
        message: "`respond` needs the trigger `webhook_received` with the `response_mode` `sync`."
      }
  }
})

/** Whether no step of its list comes after it. */
export const endsRun = ({
  config,
  type
}: {
  readonly type: string
  readonly config: { readonly [key: string]: any }
}) => type === "exit" && config["exit_type"] !== "respond"
