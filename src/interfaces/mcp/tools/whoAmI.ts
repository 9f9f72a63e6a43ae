// The caller itself (developer-api.md 2.1).
import { reads, tool } from "../Tool.ts"

export const whoAmI = tool({
  name: "who_am_i",
  title: "Who am I",
  description: "The user this connection acts as, the organization, and the scopes it holds.",
  hints: reads,
  endpoint: ["accounts", "me"],
  args: {}
})
