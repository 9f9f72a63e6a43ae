// `custom_code` (developer-api.md 7.6, 8.1 to 8.3; decisions A1): a statement block in the sandbox with `http` and `api`.

import { Effect } from "effect"
import { AppConfig } from "../../../../ground/config/Config.ts"
import { Outbound } from "../../../../ground/outbound/Outbound.ts"
import { policies } from "../../../../ground/outbound/policies.ts"
import {
  type ApiRequest,
  type ApiResponse,
  HostCallError,
  Sandbox,
  type ScriptHttpRequest,
  type ScriptResourceLimit
} from "../../../../ground/sandbox/Sandbox.ts"
import { HIDDEN, isSecretName } from "../../../../ground/text/redaction.ts"
import { InProcess } from "../../../accounts/InProcess.ts"
import { variableName } from "../../model/RunScope.ts"
import { RunSecrets } from "../../model/RunSecrets.ts"
import { StepFailed, success } from "../../model/Step.ts"
import { namesInCode, secretSource } from "../../schema/secretsNamed.ts"
import { isPlainObject } from "../../schema/walk.ts"
import { inputsOf, Scripts, scriptFailed, scriptMessages } from "../../values/resolveScript.ts"
import { storable } from "../../values/resolveStorable.ts"
import { failed, once, type StepOf } from "../runtime.ts"
import { HttpCalls } from "../shared/HttpCalls.ts"

type CodeStep = StepOf<"custom_code">

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])
/** POSTs that only read. */
const reading = /^\/(?:record\/filter\/app\/\d+|record\/app\/\d+\/ref\/\d+|automation-run(?:\/.*)?)$/
const isRead = (method: string, path: string): boolean =>
  method === "GET" || (method === "POST" && reading.test(path) && !/\/(?:cancel|retry)$/.test(path))

/** What a changing call would answer, without its effect. */
const invented = ({ body, path }: ApiRequest): ApiResponse => {
  const id = /^\/(record|comment)\/(\d+)/.exec(path)
  const named = id === null ? {} : { [`${id[1]}_id`]: Number(id[2]) }
  return {
    status: 200,
    headers: {},
    data: { record_id: 0, comment_id: 0, ...named, ...(isPlainObject(body) ? body : {}), simulated: true }
  }
}

const mayPass = ({ message, reason }: StepFailed): StepFailed =>
  new StepFailed({ message, ...(reason === undefined ? {} : { reason }), passing: true })

export const run = Effect.gen(function* () {
  const sandbox = yield* Sandbox
  const scripts = yield* Scripts
  const outbound = yield* Outbound
  const api = yield* InProcess
  const secrets = yield* RunSecrets
  const { ports } = yield* HttpCalls
  const { wallMillis } = (yield* AppConfig).scriptAsync

  const http = ({ body, ...request }: ScriptHttpRequest) =>
    outbound
      .request({
        ...request,
        ...(body === null ? {} : { body }),
        policy: { ...policies.httpCallRedirects, ports }
      })
      .pipe(Effect.mapError((error) => new HostCallError({ message: `${error.label}: ${error.message}` })))

  const call = (step: CodeStep) =>
    Effect.fnUntraced(function* (request: ApiRequest) {
      const { body, method, path, position, query } = request
      const url = URL.parse(`http://api.invalid/v1${path}`)
      const within = url?.pathname.startsWith("/v1/") === true && path.startsWith("/")
      if (url === null || !within || !methods.has(method)) {
        return yield* new HostCallError({ message: `There is no ${method} ${path} in the Developer API.` })
      }
      const below = url.pathname.slice(3)
      if (step.simulation && !isRead(method, below)) return invented({ ...request, path: below })
      if (step.secrets.in([path, query, body])) {
        return yield* new HostCallError({
          message: "A secret cannot be written through the API, where it could be read back."
        })
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      // The rights of this very moment: a script may outlive them.
      const caller = yield* Effect.mapError(step.authority.present, ({ message }) => new HostCallError({ message }))
      const answer = yield* api.call(
        { ...caller, origin: { depth: step.run.depth, cause: step.cause } },
        {
          method,
          path: `${url.pathname}${url.search}`,
          ...(body === null || method === "GET" ? {} : { body }),
          // A repeat of the script gets the first answers.
          headers: isRead(method, below) ? {} : { "idempotency-key": `${step.key}/${position}` }
        }
      )
      return { status: answer.status, headers: answer.headers, data: answer.body } satisfies ApiResponse
    })

  return once(
    Effect.fnUntraced(function* (step: CodeStep) {
      const { code, custom_variable_defs: defs } = step.config
      if (code.length === 0) return yield* failed("There is no code.")
      const names = [...new Set(defs.map((def) => variableName(def.label)))]
      const given = yield* secrets.give(step, namesInCode(code))
      const script = yield* scripts.bind(secretSource(code), step)
      const { bindings, source } = script
      for (const [name, input] of Object.entries(inputsOf(script))) step.log.input(name, input)
      const empty = Object.fromEntries(names.map((name) => [name, null]))
      const bound: Record<string, unknown> = { ...empty, ...bindings }
      const logged = (logs: Parameters<typeof scriptMessages>[0]) => {
        for (const { level, message } of scriptMessages(logs)) step.log.add(level, message)
      }
      // Never longer than what the run's execution limit leaves (8.3).
      const limits = { wallMillis: Math.min(wallMillis, Math.max(1, step.millisLeft)) }
      const outOfTime = ({ which }: ScriptResourceLimit) => which === "wall" && limits.wallMillis < wallMillis
      const result = yield* sandbox
        .runAsync({
          orgId: step.run.org_id,
          source,
          bindings: bound,
          secrets: Object.fromEntries(given),
          collect: names,
          simulate: step.simulation,
          limits,
          http,
          api: call(step)
        })
        .pipe(
          Effect.tapError((error) =>
            Effect.sync(() => (error._tag === "SandboxUnavailable" ? undefined : logged(error.logs)))
          ),
          Effect.catchTags({
            // What it threw may be about an answer that it did not get.
            ScriptError: (error) => Effect.fail(mayPass(scriptFailed(error))),
            ScriptResourceLimit: (error) =>
              Effect.fail(
                outOfTime(error)
                  ? new StepFailed({ message: "The run's execution time is used up.", reason: "actions_timeout" })
                  : error.which === "wall"
                    ? mayPass(scriptFailed(error))
                    : scriptFailed(error)
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
