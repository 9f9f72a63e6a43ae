// Comments on records (developer-api.md 5).
import { adds, reads, tool } from "../Tool.ts"
import { id, page, pageDefaults, switches, text } from "./args.ts"

export const commentTools = [
  tool({
    name: "list_comments",
    title: "List comments",
    description: "The comments on a record, oldest first.",
    hints: reads,
    endpoint: ["comments", "list"],
    args: { record_id: id("From search_records."), ...page },
    defaults: pageDefaults
  }),
  tool({
    name: "create_comment",
    title: "Comment on a record",
    description: "Adds a comment to a record, shown as written by the user.",
    hints: adds,
    endpoint: ["comments", "create"],
    args: {
      record_id: id("From search_records."),
      value: text("The text. A mention is @[Name](user:<user_id>)."),
      ...switches
    },
    body: ["value"]
  })
]
