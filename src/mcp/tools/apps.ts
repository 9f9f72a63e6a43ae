// Apps and their fields (developer-api.md 3.1).
import { reads, tool } from "../Tool.ts"
import { id } from "./args.ts"

export const listApps = tool({
  name: "list_apps",
  title: "List apps",
  description: "All apps the user can see, with their ids and workspaces. Start here to find an app_id.",
  hints: reads,
  endpoint: ["apps", "list"],
  args: {}
})

export const describeApp = tool({
  name: "describe_app",
  title: "Describe an app",
  description:
    "One app with its fields: external_id (the key used to write a record), field_id, type and settings such as options. Read it before you write, search or build an automation.",
  hints: reads,
  endpoint: ["apps", "get"],
  args: { app_id: id("From list_apps.") }
})
