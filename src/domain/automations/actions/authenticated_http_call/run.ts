// Runtime of `authenticated_http_call` (developer-api.md 7.6; decisions P3): sends the provider's header, which is renewed once after a
// 401.
import { Effect, Redacted } from "effect"
import { AuthenticationProviders } from "../../../../platform/mail/AuthenticationProviders.ts"
import { StepFailed, type StepOutcome } from "../../model/Step.ts"
import { once, type StepOf } from "../runtime.ts"
import { HttpCalls } from "../shared/HttpCalls.ts"
import type { StepHttpRequest } from "../shared/httpSend.ts"
import { skipInSimulation } from "../simulation.ts"

const unknownProvider: StepOutcome = {
  status: "skipped",
  logsNothing: true,
  message: "There is no such authentication provider; the request was not sent."
}

export const run = Effect.gen(function* () {
  const calls = yield* HttpCalls
  const providers = yield* AuthenticationProviders

  return once(
    Effect.fnUntraced(function* (step: StepOf<"authenticated_http_call">) {
      const { authentication_provider_id: id } = step.config
      if (id === undefined) return unknownProvider
      const request = yield* calls.build(step)
      if (step.simulation) return skipInSimulation(`${request.method} ${request.shown} would be sent.`)

      const by = { appId: step.automation.app_id }
      /** Returns the provider's header only; null without a valid provider. */
      const authorization = (refused?: Redacted.Redacted) =>
        providers.authorizationHeader(step.run.org_id, id, by, refused === undefined ? {} : { refused }).pipe(
          Effect.catchTags({
            NotFound: () => Effect.succeed(null),
            ProviderFailed: ({ message, passing }) =>
              Effect.fail(new StepFailed({ message, passing: passing === true }))
          })
        )
      const sendWith = (one: StepHttpRequest, header: Redacted.Redacted) => {
        const value = Redacted.value(header)
        step.log.secret(value)
        step.log.secret(value.replace(/^\S+\s+/, ""))
        return calls.send(step, { ...one, headers: { ...one.headers, authorization: value } })
      }

      let header = yield* authorization()
      if (header === null) return unknownProvider
      let isRenewed = false
      // The header is renewed once for all pages together.
      return yield* calls.perform(
        step,
        request,
        Effect.fnUntraced(function* (one) {
          if (one.elsewhere || header === null) return yield* calls.send(step, one)
          const firstAnswer = yield* sendWith(one, header)
          if (firstAnswer.status !== 401 || isRenewed) return firstAnswer
          isRenewed = true
          const renewed = yield* authorization(header)
          if (renewed === null) return firstAnswer
          header = renewed
          return yield* sendWith(one, renewed)
        })
      )
    })
  )
})
