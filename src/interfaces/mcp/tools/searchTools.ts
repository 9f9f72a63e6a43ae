// Search over all that the user may see (developer-api.md 11.1).
import { reads, tool } from "../Tool.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

export const searchTools = [
  tool({
    name: "search",
    title: "Search",
    description:
      'Finds records, comments, automations and apps by words, best first, with snippets. All words must occur, by prefix; "quoted" is a phrase.',
    hints: reads,
    endpoint: ["search", "find"],
    args: {
      q: text("Words."),
      kinds: optional(text("By commas: record, comment, automation, app.")),
      app_id: optional(id("In one app.")),
      workspace_id: optional(id("In one workspace.")),
      ...page
    },
    defaults: pageDefaults
  })
]
