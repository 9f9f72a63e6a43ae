// Runtime of `authenticated_http_call` (developer-api.md 7.6; decisions P3): sends the provider's header, which is renewed once after a
// 401.
import { Effect, Redacted } from "effect"
import { AuthenticationProviders } from "../../../../ground/mail/AuthenticationProviders.ts"
import { StepFailed, type StepOutcome, skipped, success } from "../../model/Step.ts"
import { once, type StepOf } from "../runtime.ts"
import { HttpCalls } from "../shared/HttpCalls.ts"

const unknownProvider: StepOutcome = {
  status: "skipped",
  quiet: true,
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
      if (step.simulation) return skipped(`Simulation: ${request.method} ${request.shown} would be sent.`)

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
      const send = (header: Redacted.Redacted) => {
        const value = Redacted.value(header)
        step.log.secret(value)
        step.log.secret(value.replace(/^\S+\s+/, ""))
        return calls.send(step, { ...request, headers: { ...request.headers, authorization: value } })
      }

      const header = yield* authorization()
      if (header === null) return unknownProvider
      const firstAnswer = yield* send(header)
      const renewed = firstAnswer.status === 401 ? yield* authorization(header) : null
      yield* calls.settle(step, renewed === null ? firstAnswer : yield* send(renewed))
      return success
    })
  )
})
