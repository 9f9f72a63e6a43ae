// Runtime of `custom_code` (developer-api.md 7.6, 8.1 to 8.3; decisions A1): executes a statement block in the sandbox with `http` and
// `api`.

import { Effect } from "effect"
import { AppConfig } from "../../../../platform/config/Config.ts"
import { Outbound } from "../../../../platform/outbound/Outbound.ts"
import { policies } from "../../../../platform/outbound/policies.ts"
import { shownHeaders } from "../../../../platform/outbound/requests.ts"
import {
  HostCallError,
  Sandbox,
  type ScriptHttpRequest,
  type ScriptResourceLimit
} from "../../../../platform/sandbox/Sandbox.ts"
import { HIDDEN, isSecretName } from "../../../../platform/text/redaction.ts"
import { variableName } from "../../model/RunScope.ts"
import { RunSecrets } from "../../model/RunSecrets.ts"
import { StepFailed, success } from "../../model/Step.ts"
import { namesInCode } from "../../schema/secretsNamed.ts"
import { inputsOf, Scripts, scriptFailed, scriptMessages } from "../../values/resolveScript.ts"
import { storable } from "../../values/resolveStorable.ts"
import { failed, once, type StepOf } from "../runtime.ts"
import { HttpCalls } from "../shared/HttpCalls.ts"
import { databaseAway, scriptApi } from "./scriptApi.ts"

type CodeStep = StepOf<"custom_code">

const mayPass = ({ message, reason }: StepFailed): StepFailed =>
  new StepFailed({ message, ...(reason === undefined ? {} : { reason }), passing: true })

export const run = Effect.gen(function* () {
  const sandbox = yield* Sandbox
  const scripts = yield* Scripts
  const outbound = yield* Outbound
  const api = yield* scriptApi
  const secrets = yield* RunSecrets
  const { ports } = yield* HttpCalls
  const { wallMillis } = (yield* AppConfig).scriptAsync

  const http =
    (step: CodeStep) =>
    ({ body, ...request }: ScriptHttpRequest) =>
      outbound
        .request({
          ...request,
          ...(body === null ? {} : { body, bodyStays: step.secrets.in(body) }),
          policy: { ...policies.httpCallRedirects, ports }
        })
        .pipe(
          Effect.mapBoth({
            onFailure: (error) => new HostCallError({ message: `${error.label}: ${error.message}` }),
            onSuccess: (answer) => ({ status: answer.status, headers: shownHeaders(answer), body: answer.body })
          })
        )

  return once(
    Effect.fnUntraced(function* (step: CodeStep) {
      const { code, custom_variable_defs: defs } = step.config
      if (code.length === 0) return yield* failed("There is no code.")
      const names = [...new Set(defs.map((def) => variableName(def.label)))]
      const grantedSecrets = yield* secrets.give(step, namesInCode(code))
      const script = yield* scripts.bind(code, step)
      const { bindings, source } = script
      for (const [name, input] of Object.entries(inputsOf(script))) step.log.input(name, input)
      const empty = Object.fromEntries(names.map((name) => [name, null]))
      const bound: Record<string, unknown> = { ...empty, ...bindings }
      const logged = (logs: Parameters<typeof scriptMessages>[0]) => {
        for (const { level, message } of scriptMessages(logs)) step.log.add(level, message)
      }
      // Never longer than the run's execution limit allows (8.3).
      const limits = { wallMillis: Math.min(wallMillis, Math.max(1, step.millisLeft)) }
      const unanswered = new Set<number>()
      const outOfTime = ({ which }: ScriptResourceLimit) => which === "wall" && limits.wallMillis < wallMillis
      const result = yield* sandbox
        .runAsync({
          orgId: step.run.org_id,
          source,
          bindings: bound,
          secrets: Object.fromEntries(grantedSecrets),
          collect: names,
          simulate: step.simulation,
          limits,
          http: http(step),
          api: api(step, unanswered)
        })
        .pipe(
          Effect.tapError((error) =>
            Effect.sync(() => (error._tag === "SandboxUnavailable" ? undefined : logged(error.logs)))
          ),
          // A script that continues without its answer has handled that itself; one that fails because of it is tried again.
          Effect.catchIf(
            (error) => unanswered.size > 0 && error._tag !== "SandboxUnavailable",
            () => Effect.fail(databaseAway)
          ),
          Effect.catchTags({
            // The script may have failed because of an answer that it did not get.
            ScriptError: (error) => Effect.fail(mayPass(scriptFailed(error, script))),
            ScriptResourceLimit: (error) =>
              Effect.fail(
                outOfTime(error)
                  ? new StepFailed({ message: "The run's execution time is used up.", reason: "actions_timeout" })
                  : error.which === "wall"
                    ? mayPass(scriptFailed(error, script))
                    : scriptFailed(error, script)
              ),
            SandboxUnavailable: ({ message }) => Effect.fail(mayPass(new StepFailed({ message })))
          })
        )
      logged(result.logs)
      for (const [index, def] of defs.entries()) {
        const name = variableName(def.label)
        const assigned = Object.hasOwn(result.vars, name) ? result.vars[name] : bound[name]
        step.set(def, storable(index === 0 && !result.undefined ? result.value : assigned))
      }
      const secret = defs.some(({ label }) => isSecretName(label))
      if (!result.undefined) step.log.output("value", secret ? HIDDEN : result.value)
      return success
    })
  )
})
