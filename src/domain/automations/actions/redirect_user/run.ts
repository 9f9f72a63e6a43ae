// `redirect_user` (developer-api.md 7.6, 7.10): sends the clicker of a weblink to another address; http or https only.
import { Effect } from "effect"
import { webAddress } from "../../../../platform/text/webAddress.ts"
import { Values } from "../../model/Resolver.ts"
import { success } from "../../model/Step.ts"
import { failed, once, type StepOf } from "../runtime.ts"

export const run = Effect.gen(function* () {
  const values = yield* Values
  return once(
    Effect.fnUntraced(function* (step: StepOf<"redirect_user">) {
      const text = (yield* values.text(step.config.redirect_url, step)).trim()
      const url = webAddress(text)
      if (url === null) {
        return yield* failed(`This is no http or https address: ${text.slice(0, 200)}`)
      }
      step.redirect(url.href)
      step.log.output("redirect_url", url.href)
      return success
    })
  )
})
