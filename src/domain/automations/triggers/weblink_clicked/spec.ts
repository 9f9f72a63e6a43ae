// Trigger `weblink_clicked` (service.md 2.7 trigger rule 3, developer-api.md 7.10): the clicker sees what the steps compose.
import { checkCalled, companionFlags } from "../companionFlags.ts"
import { trigger } from "../spec.ts"

export const weblink_clicked = trigger({
  type: "weblink_clicked",
  label: "Weblink clicked",
  description: "A generated weblink is clicked",
  context: "weblink",
  firedBy: [],
  outputs: ["weblink_click_count", "weblink_created_at"],
  config: companionFlags,
  check: checkCalled
})
