// Executes HTTP steps (developer-api.md 7.6 http_call runtime; decisions A19): composes the request from its config, sends it through the
// guarded client, with all pages if asked for, and assigns the answer to variables.
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../../platform/config/Config.ts"
import { refusedHeader } from "../../../../platform/outbound/requestHeaders.ts"
import type { OutboundResponse } from "../../../../platform/outbound/requests.ts"
import { isSecretName, shownUrl } from "../../../../platform/text/redaction.ts"
import { Values } from "../../model/Resolver.ts"
import { cancelled, type Step, StepFailed, type StepOutcome, success } from "../../model/Step.ts"
import { tooLong } from "../../model/textBounds.ts"
import { makeHttpAnswer } from "./httpAnswer.ts"
import { makeHttpBody } from "./httpBody.ts"
import type { RequestConfig } from "./httpConfig.ts"
import { makeHttpLogin } from "./httpLogin.ts"
import { makeHttpPaging, type SendRequest } from "./httpPaging.ts"
import { digestLogin, makeHttpSend, type StepHttpRequest } from "./httpSend.ts"

/** Limit for all headers, more than servers accept. */
const HEADERS_CHARS = 256 * 1024
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

export class HttpCalls extends Context.Service<
  HttpCalls,
  {
    readonly build: (step: Step<RequestConfig>) => Effect.Effect<StepHttpRequest, StepFailed | SqlError>
    readonly send: (step: Step<RequestConfig>, request: StepHttpRequest) => Effect.Effect<OutboundResponse, StepFailed>
    /**
     * Sends the request, and those for further pages, by `send`, and assigns the answer to variables. Fails for a status of 400 and above,
     * for which later steps still find the answer; the other variables get it only on success.
     */
    readonly perform: (
      step: Step<RequestConfig>,
      request: StepHttpRequest,
      send: SendRequest
    ) => Effect.Effect<StepOutcome, StepFailed | SqlError>
    readonly ports: ReadonlySet<number>
  }
>()("millrace/automations/actions/HttpCalls") {
  static readonly layer = Layer.effect(
    HttpCalls,
    Effect.gen(function* () {
      const values = yield* Values
      const composeBody = yield* makeHttpBody
      const resolveLogin = yield* makeHttpLogin
      const readPages = yield* makeHttpPaging
      const recordAnswer = yield* makeHttpAnswer
      const { baseUrl, httpCallPorts } = yield* AppConfig
      // Host for the idempotency key, as in a Message-ID: two installations have equal run ids, and both may call the same receiver.
      const { host } = new URL(baseUrl)
      const ports: ReadonlySet<number> = new Set(httpCallPorts.split(",").map(Number))
      const send = yield* makeHttpSend(ports)

      const headersOf = Effect.fnUntraced(function* (step: Step<RequestConfig>) {
        const headers: Record<string, string> = {}
        let chars = 0
        for (const { key, value } of step.config.http_call_headers) {
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
        return headers
      })

      const build = Effect.fnUntraced(function* (step: Step<RequestConfig>) {
        const { http_call_type, http_call_url } = step.config
        if (http_call_type === undefined) return yield* new StepFailed({ message: "No method is set." })
        const url = (yield* values.textToSend(http_call_url, step, "url")).trim()
        const headers = yield* headersOf(step)
        const method = http_call_type.toUpperCase()
        const body = method === "GET" ? undefined : yield* composeBody(step, headers["content-type"])
        if (body !== undefined) headers["content-type"] = body.contentType
        if (method !== "GET") headers["idempotency-key"] ??= `${step.key}@${host}`
        const login = yield* resolveLogin(step)
        if (login.identity !== undefined && /^http:/i.test(url))
          step.log.add("warn", "The address is not https, so the client certificate is not shown.")
        // Secrets that the answer echoes are hidden too.
        const maskedUrl = shownUrl(url, step.log.secret)
        const content = body === undefined ? {} : { body: body.shown }
        step.log.input("request", { method, url: maskedUrl, headers, ...content })
        return {
          ...{ method, url, shown: maskedUrl, headers, login },
          body: body?.content,
          bodyStays: body?.holdsSecret === true,
          digest: digestLogin(login, url),
          elsewhere: false
        }
      })

      const perform = Effect.fnUntraced(function* (
        step: Step<RequestConfig>,
        request: StepHttpRequest,
        send: SendRequest
      ): Effect.fn.Return<StepOutcome, StepFailed | SqlError> {
        if (step.attempt > 1) step.log.add("warn", "The request is sent again after an interruption.")
        const paging = step.config.http_call_paging
        const result = paging === undefined ? yield* send(request) : yield* readPages(step, paging, request, send)
        if (result === null) return cancelled("The run was cancelled; no further page was asked for.")
        if ("answer" in result) yield* recordAnswer(step, result.answer, result)
        else yield* recordAnswer(step, result)
        return success
      })

      return HttpCalls.of({ build, send, perform, ports })
    })
  )
}
