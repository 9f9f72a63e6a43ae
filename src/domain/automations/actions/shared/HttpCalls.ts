// Builds and sends one HTTP request of a step (developer-api.md 7.6 http_call runtime; decisions A19): from its config, through the guarded
// client, with the answer assigned to variables.
import { Context, Duration, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../../ground/config/Config.ts"
import { Outbound } from "../../../../ground/outbound/Outbound.ts"
import type { OutboundError } from "../../../../ground/outbound/OutboundError.ts"
import { policies } from "../../../../ground/outbound/policies.ts"
import { refusedHeader } from "../../../../ground/outbound/requestHeaders.ts"
import { type OutboundResponse, shownHeaders } from "../../../../ground/outbound/requests.ts"
import { isSecretName, shownBody, shownUrl } from "../../../../ground/text/redaction.ts"
import type { CustomDef } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { tooLong } from "../../model/textBounds.ts"
import { jsonMistake, meansJson } from "../../values/resolveJson.ts"
import { storable } from "../../values/resolveStorable.ts"
import type { ActionConfig } from "../registry.ts"
import { dataOf, fileNameOf } from "./httpAnswer.ts"
import { RunFiles } from "./RunFiles.ts"

type CallConfig = ActionConfig<"http_call">

export interface StepHttpRequest {
  readonly method: string
  readonly url: string
  /** URL as the log shows it. */
  readonly shown: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Limit for all headers, more than servers accept. */
const HEADERS_CHARS = 256 * 1024
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

export class HttpCalls extends Context.Service<
  HttpCalls,
  {
    readonly build: (step: Step<CallConfig>) => Effect.Effect<StepHttpRequest, StepFailed | SqlError>
    readonly send: (step: Step<CallConfig>, request: StepHttpRequest) => Effect.Effect<OutboundResponse, StepFailed>
    /**
     * Assigns the answer to variables. Fails for a status of 400 and above, for which later steps still find the answer; the other
     * variables get it only on success.
     */
    readonly settle: (step: Step<CallConfig>, answer: OutboundResponse) => Effect.Effect<void, StepFailed | SqlError>
    readonly ports: ReadonlySet<number>
  }
>()("millrace/automations/actions/HttpCalls") {
  static readonly layer = Layer.effect(
    HttpCalls,
    Effect.gen(function* () {
      const values = yield* Values
      const outbound = yield* Outbound
      const files = yield* RunFiles
      const { baseUrl, httpCallPorts } = yield* AppConfig
      // Host for the idempotency key, as in a Message-ID: two installations have equal run ids, and both may call the same receiver.
      const { host } = new URL(baseUrl)
      const ports: ReadonlySet<number> = new Set(httpCallPorts.split(",").map(Number))

      const build = Effect.fnUntraced(function* (step: Step<CallConfig>) {
        const { http_call_body, http_call_body_raw, http_call_headers, http_call_type, http_call_url } = step.config
        if (http_call_type === undefined) return yield* new StepFailed({ message: "No method is set." })
        const url = (yield* values.textToSend(http_call_url, step, "url")).trim()
        const headers: Record<string, string> = {}
        let chars = 0
        for (const { key, value } of http_call_headers) {
          const name = key.trim().toLowerCase()
          const text = (yield* values.textToSend(value, step)).trim()
          if (name === "") continue
          chars += text.length
          if (chars > HEADERS_CHARS) return yield* tooLong("The headers are", HEADERS_CHARS)
          if (!headerName.test(name) || !headerValue.test(text)) {
            return yield* new StepFailed({ message: `The header ${JSON.stringify(key)} cannot be sent.` })
          }
          if (refusedHeader({ [name]: text }) !== undefined)
            step.log.add("warn", `The header ${key} cannot be set and is left out.`)
          else headers[name] = text
          if (isSecretName(name)) step.log.secret(text)
        }
        const method = http_call_type.toUpperCase()
        const isJson = meansJson(http_call_body, headers["content-type"])
        const target = isJson && http_call_body_raw !== true ? "json" : "text"
        const text = method === "GET" ? "" : yield* values.textToSend(http_call_body, step, target)
        const body = text === "" ? undefined : text
        if (body !== undefined) {
          const mistake = jsonMistake(body)
          headers["content-type"] ??= mistake === undefined ? "application/json" : "text/plain; charset=utf-8"
          if (isJson && mistake !== undefined)
            step.log.add("warn", `The body is no JSON: ${mistake}. It is sent as ${headers["content-type"]}.`)
        }
        if (method !== "GET") headers["idempotency-key"] ??= `${step.key}@${host}`
        // Secrets that the answer echoes are hidden too.
        const maskedUrl = shownUrl(url, step.log.secret)
        const content = body === undefined ? {} : { body: shownBody(body, headers["content-type"]!, step.log.secret) }
        step.log.input("request", { method, url: maskedUrl, headers, ...content })
        return { method, url, shown: maskedUrl, headers, body }
      })

      const send = Effect.fnUntraced(function* (
        step: Step<CallConfig>,
        { body, shown: _, ...request }: StepHttpRequest
      ) {
        const policy = step.config.http_call_follow_redirects ? policies.httpCallRedirects : policies.httpCall
        const mayRetry = (error: OutboundError) => request.method === "GET" && error.unsent
        if (step.attempt > 1) step.log.add("warn", "The request is sent again after an interruption.")
        // A second try has only the time that the first one left.
        const until = performance.now() + Duration.toMillis(policy.whole)
        const requestOnce = Effect.suspend(() =>
          outbound.request({
            ...request,
            ...(body === undefined ? {} : { body }),
            policy: { ...policy, ports, whole: Duration.millis(Math.max(0, until - performance.now())) }
          })
        )
        return yield* requestOnce.pipe(
          Effect.retry({ while: mayRetry, times: step.retried ? 0 : 1 }),
          Effect.mapError(
            (error) => new StepFailed({ message: `${error.label}: ${error.message}`, passing: error.mayPass })
          )
        )
      })

      const recordAnswer = Effect.fnUntraced(function* (step: Step<CallConfig>, answer: OutboundResponse) {
        const { status } = answer
        const loggedAnswer = { status, headers: shownHeaders(answer), data: dataOf(answer, step.log) }
        step.log.output("response", loggedAnswer)
        const { custom_variable_defs: defs } = step.config
        const findDef = (...types: ReadonlyArray<CustomDef["custom_type"]>) =>
          defs.find((def) => types.includes(def.custom_type))
        const any = findDef("any")
        if (any !== undefined) (status >= 400 ? step.setOnFailure : step.set)(any, storable(loggedAnswer))
        if (status >= 400) return yield* new StepFailed({ message: `The server answered ${status}.`, status })
        const file = findDef("single_file", "multi_file")
        if (file !== undefined) {
          const mimetype = (answer.headers["content-type"] ?? "application/octet-stream").slice(0, 200)
          const kept = yield* files.keep(step, { name: fileNameOf(answer), mimetype, bytes: answer.body })
          step.set(file, file.custom_type === "multi_file" ? [kept] : kept)
          step.publish({ type: "file_collection", app_id: step.automation.app_id, files: [kept] })
        }
      })

      return HttpCalls.of({ build, send, settle: recordAnswer, ports })
    })
  )
}
