// Tools that list users and workspaces of the organization (developer-api.md 2.1, 2.2).
import { reads, tool } from "../Tool.ts"

export const peopleTools = [
  tool({
    name: "list_users",
    title: "List users",
    description:
      "The people of the organization with user_id, name, mail, role and status: for user fields and mentions.",
    hints: reads,
    endpoint: ["accounts", "users"],
    args: {}
  }),
  tool({
    name: "list_workspaces",
    title: "List workspaces",
    description: "The workspaces that the user can see, with the workspace_id that a new app needs.",
    hints: reads,
    endpoint: ["workspaces", "list"],
    args: {}
  })
]
