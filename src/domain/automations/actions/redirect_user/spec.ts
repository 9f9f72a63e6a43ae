// Action `redirect_user` (developer-api.md 7.6): the clicker gets this URL; it wins over pages, the run goes on.
import { template } from "../../schema/dynamicValues.ts"
import { action } from "../spec.ts"

export const redirect_user = action({
  type: "redirect_user",
  label: "Redirect",
  scopes: [],
  description: "Sends whoever clicked the weblink to another address",
  requires: "weblink",
  needs: [{ key: "redirect_url", code: "action_value_missing" }],
  config: { redirect_url: template }
})
