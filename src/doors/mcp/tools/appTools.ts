// Apps and their fields (developer-api.md 3.1). The API lists all apps at once; here they come in pages.
import { Schema } from "effect"
import { AppListed } from "../../../domain/records/apps/appSchemas.ts"
import { reads, tool } from "../Tool.ts"
import { id, optional } from "./args.ts"

const pageSize = 50

export const listApps = tool({
  name: "list_apps",
  title: "List apps",
  description:
    "The apps the user can see, with their ids and workspaces, 50 at a time. Start here to find an app_id; `workspace_id` narrows the list.",
  hints: reads,
  endpoint: ["apps", "list"],
  instead: ({ workspace_id }) => (workspace_id === undefined ? undefined : { endpoint: "listOfWorkspace" }),
  args: {
    workspace_id: optional(id("Only the apps of this workspace.")),
    cursor: optional(
      Schema.String.check(Schema.isMaxLength(6), Schema.isPattern(/^\d{1,6}$/)).annotate({
        description: "The cursor of the page before."
      })
    )
  },
  own: ["cursor"],
  output: Schema.Struct({
    total: Schema.Int,
    cursor: Schema.NullOr(Schema.String),
    apps: Schema.Array(AppListed)
  }),
  shape: ({ total, apps }, { cursor = "0" }) => {
    const end = Number(cursor) + pageSize
    return { total, cursor: end < total ? String(end) : null, apps: apps.slice(Number(cursor), end) }
  }
})

export const describeApp = tool({
  name: "describe_app",
  title: "Describe an app",
  description:
    "One app with its fields: external_id (the key used to write a record), field_id, field_type and settings such as options. Read it before you write, search or build an automation.",
  hints: reads,
  endpoint: ["apps", "get"],
  args: { app_id: id("From list_apps.") }
})

export const appTools = [listApps, describeApp]
