// Action `send_email` (developer-api.md 7.6): one mail, sent after the step commits.

import { mail } from "../shared/mailConfig.ts"
import { action } from "../spec.ts"

export const send_email = action({
  type: "send_email",
  label: "Send email",
  scopes: ["email:send"],
  description: "Sends an email",
  kind: "outside",
  needs: [
    { key: "to_address", code: "action_value_missing" },
    { key: "subject", code: "action_value_missing" }
  ],
  config: mail
})
