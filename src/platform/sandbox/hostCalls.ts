// Answers and counts the calls of a script's process (developer-api.md 8.3, decisions P9). They are counted here as well as in the process:
// once code has broken out of the engine, only this side's count holds.

import { Effect, Schema } from "effect"
import type { Limits } from "../config/sandboxLimits.ts"
import { WrongMessage } from "../confinement/messageShape.ts"
import { decodeText } from "../content/decodeText.ts"
import type { ScriptCall } from "./protocol.ts"
import { ApiCall, type AsyncRequest, HostCallError, HttpCall } from "./Script.ts"

export interface Quota {
  /** Throws for a call that an honest process would not have sent. */
  readonly admit: (call: ScriptCall) => void
  /** Records that the process has taken an answer. */
  readonly answered: (call: ScriptCall) => void
}

/** Factor on the limit of concurrent calls: the process may ask for more while an answer is in flight. */
const SLACK = 2

export const quota = (limits: Limits): Quota => {
  const most = { http: limits.httpCalls, api: limits.apiCalls }
  const openCalls = { http: 0, api: 0 }
  const ids = new Set<number>()
  /** Positions used: a position identifies a repeat of the call to the outside (decisions A1), so none is used twice. */
  const positions = new Set<string>()
  return {
    admit: ({ call, kind, position }) => {
      const callPosition = `${kind}/${position}`
      if (position >= most[kind] || positions.has(callPosition) || ids.has(call))
        throw new WrongMessage("call: too many, or twice")
      if (++openCalls[kind] > SLACK * limits.concurrentCalls) throw new WrongMessage("call: too many at once")
      ids.add(call)
      positions.add(callPosition)
    },
    answered: ({ kind }) => {
      openCalls[kind]--
    }
  }
}

const decodeHttp = Schema.decodeUnknownEffect(HttpCall)
const decodeApi = Schema.decodeUnknownEffect(ApiCall)

const unreadable = () => Effect.fail(new HostCallError({ message: "The call cannot be read" }))

/** Answer to a call of the script, as JSON. */
export const answerCall = Effect.fnUntraced(function* (
  request: AsyncRequest,
  limits: Limits,
  call: ScriptCall
): Effect.fn.Return<string, HostCallError> {
  if (call.kind === "api") {
    const apiRequest = yield* decodeApi(call.payload).pipe(Effect.catch(unreadable))
    return JSON.stringify(yield* request.api({ ...apiRequest, position: call.position }))
  }
  const { binary, body: sent, bytes, ...asked } = yield* decodeHttp(call.payload).pipe(Effect.catch(unreadable))
  if (request.simulate === true && asked.method !== "GET")
    return yield* new HostCallError({ message: "In a simulation only GET reaches the outside" })
  const { body, headers, status } = yield* request.http({
    ...asked,
    body: bytes && sent !== null ? Buffer.from(sent, "base64") : sent
  })
  if (body.byteLength > limits.httpResponseBytes)
    return yield* new HostCallError({ message: `The response is larger than ${limits.httpResponseBytes} bytes` })
  const text = binary
    ? Buffer.from(body).toString("base64")
    : decodeText(body, [headers["content-type"]].flat()[0]).text
  return JSON.stringify({ status, headers, body: text })
})
