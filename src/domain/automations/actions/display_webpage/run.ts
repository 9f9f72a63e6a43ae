// Runtime of `display_webpage` (developer-api.md 7.6, 7.10): composes the page that the clicker of a weblink sees.
import { Effect } from "effect"
import { Values } from "../../model/Resolver.ts"
import { success } from "../../model/Step.ts"
import { PAGE_CHARS, tooLong } from "../../model/textBounds.ts"
import { once, type StepOf } from "../runtime.ts"

export const run = Effect.gen(function* () {
  const values = yield* Values
  return once(
    Effect.fnUntraced(function* (step: StepOf<"display_webpage">) {
      const { fullscreen, join_type, remove_branding, webpage_body } = step.config
      const html = yield* values.text(webpage_body, step, "html")
      if (html.length > PAGE_CHARS) return yield* tooLong("The page is", PAGE_CHARS)
      step.page({ join: join_type, html, fullscreen, removeBranding: remove_branding })
      step.log.output("webpage_body", html)
      return success
    })
  )
})
