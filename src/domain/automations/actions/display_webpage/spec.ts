// Action `display_webpage` (developer-api.md 7.6): composes the page the clicker sees.
import { Schema } from "effect"
import { flag, withDefault } from "../../schema/combinators.ts"
import { template } from "../../schema/dynamicValues.ts"
import { action } from "../spec.ts"

export const display_webpage = action({
  type: "display_webpage",
  label: "Display web page",
  scopes: [],
  description: "Composes the page that whoever clicked the weblink sees",
  requires: "weblink",
  config: {
    join_type: Schema.Literals(["add_below", "add_above", "replace_previous"]).pipe(withDefault("add_below")),
    fullscreen: flag(false),
    remove_branding: flag(false),
    webpage_body: template
  }
})
