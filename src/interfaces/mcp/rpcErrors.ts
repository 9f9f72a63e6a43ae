// Failures in words of ours, with the codes of the revision that is spoken: a fault of the service tells nothing of its cause,
// params that do not fit are named by their path, and what is echoed has an end.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { Cause, Effect } from "effect"
import type { Era } from "./protocolRevisions.ts"
import { boundedError } from "./refusal.ts"

const fault = "The service failed to carry this out."

/** The SDK sends a failure's message to the client, so a fault of ours gets a message of ours. */
export const guarded = <A>(effect: Effect.Effect<A>) =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const defect = Cause.squash(cause)
    if (defect instanceof ProtocolError) return Effect.die(defect)
    const internalError = Effect.die(new ProtocolError(ProtocolErrorCode.InternalError, fault))
    return Effect.andThen(Effect.logError("an MCP request failed", cause), internalError)
  })

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface RpcAnswer {
  readonly error?: RpcError
}

/** Error code of a missing resource; from 2026-07-28 on the error is one of the params (-32602). */
const RESOURCE_NOT_FOUND = -32002

const isResourceNotFound = ({ code, data }: RpcError) =>
  code === ProtocolErrorCode.InvalidParams && typeof (data as { uri?: unknown } | undefined)?.uri === "string"

/** The SDK tells what its validator found as the JSON text of its issues, for most methods as an internal error. */
const isOfParams = ({ code, message }: RpcError) =>
  (code === ProtocolErrorCode.InternalError || code === ProtocolErrorCode.InvalidParams) && message.includes('"path":')

const ofParams = (message: string): string => {
  const [, found] = message.split('"path":', 2)
  const path = /^\s*\[([^\]]*)\]/
    .exec(found ?? "")?.[1]
    ?.replace(/[\s"]/g, "")
    .replaceAll(",", ".")
  if (path === undefined || path === "") return "Invalid params."
  return `Invalid params: ${path.startsWith("params.") ? path : `params.${path}`} is missing or of the wrong type.`
}

const wordsOf = (error: RpcError, era: Era): RpcError => {
  if (era === "legacy" && isResourceNotFound(error)) return { ...error, code: RESOURCE_NOT_FOUND }
  if (isOfParams(error)) return { code: ProtocolErrorCode.InvalidParams, message: ofParams(error.message) }
  return error
}

export const worded = (answer: RpcAnswer, era: Era): RpcAnswer =>
  answer.error === undefined ? answer : { ...answer, error: boundedError(wordsOf(answer.error, era)) }
