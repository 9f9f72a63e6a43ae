// Automations as portable files, whose texts hold short templates (docs/api.md "Short templates").
import { Schema } from "effect"
import { anything, map, sizes } from "../../../platform/bounds/sized.ts"
import { replaces, tool } from "../Tool.ts"
import { id, optional } from "./args.ts"

const object = map(anything(sizes.definitionValues), 100)

export const fileTools = [
  tool({
    name: "import_automation",
    title: "Import an automation",
    description:
      "Makes an automation of a file, or changes the one of its key. Texts hold {{ record.customer }}, {{ steps.Lookup.City }}.",
    hints: replaces,
    endpoint: ["automations", "import"],
    args: {
      file: object.annotate({
        description: '{ "portable": 2, key, app: { "$app": "orders" }, name, trigger, actions }'
      }),
      app_id: optional(id("Into this app.")),
      dry_run: optional(Schema.Boolean.annotate({ description: "Only tell." }))
    },
    body: ["file", "app_id", "dry_run"]
  })
]
