// Hands a POST's requests to the SDK and waits for their answers, inside the request's own fiber: when the client goes away,
// what it asked for is interrupted.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { Cause, Effect } from "effect"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { InProcess } from "../../domain/accounts/InProcess.ts"
import type { Envelope } from "./rpcEnvelope.ts"
import { makeSession } from "./session.ts"

const fault = "The service failed to carry this out."

/** The SDK sends a failure's message to the client, so a fault of ours gets a message of ours. */
const guarded = <A>(effect: Effect.Effect<A>) =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const known = Cause.squash(cause)
    if (known instanceof McpError) return Effect.die(known)
    const told = Effect.die(new McpError(ErrorCode.InternalError, fault))
    return Effect.andThen(Effect.logError("an MCP request failed", cause), told)
  })

interface Answer {
  readonly error?: { readonly code: number; readonly message: string }
}

/** The SDK puts its own prefix before a message, and its clients put it there once more. */
const bare = (answer: Answer): Answer => {
  const { error } = answer
  const prefix = `MCP error ${error?.code}: `
  if (error === undefined || !error.message.startsWith(prefix)) return answer
  return { ...answer, error: { ...error, message: error.message.slice(prefix.length) } }
}

/** The SDK calls params that do not fit an internal error and dumps its validator's findings; faults of ours have our words. */
const relabelled = (answer: Answer): Answer => {
  const { error } = answer
  if (error?.code !== ErrorCode.InternalError || error.message === fault) return answer
  const [, found] = error.message.split('"path":', 2)
  const path = /^\s*\[([^\]]*)\]/
    .exec(found ?? "")?.[1]
    ?.replace(/[\s"]/g, "")
    .replaceAll(",", ".")
  const message = `Invalid params${path === undefined || path === "" ? "" : `: ${path} is missing or of the wrong type`}.`
  return { ...answer, error: { code: ErrorCode.InvalidParams, message } }
}

export interface Spoken {
  readonly status: number
  readonly body: unknown
}

export const converse = Effect.fnUntraced(function* (
  api: InProcess["Service"],
  caller: CallerShape,
  { batch, requests, version }: Envelope
) {
  const context = yield* Effect.context<never>()
  return yield* Effect.promise(async (signal): Promise<Spoken> => {
    const run = <A>(effect: Effect.Effect<A>) => Effect.runPromiseWith(context)(guarded(effect), { signal })
    const session = makeSession({ api, caller, run })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await session.connect(transport)
    try {
      // What the transport looks at; the request's own headers were checked before.
      const headers = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": version
      }
      const request = new Request("http://mcp.invalid/mcp", { method: "POST", headers })
      const answer = await transport.handleRequest(request, { parsedBody: batch ? requests : requests[0] })
      const body = (await answer.json()) as Answer | ReadonlyArray<Answer>
      const all = (Array.isArray(body) ? body : [body]).map((one) => relabelled(bare(one)))
      return { status: answer.status, body: batch ? all : all[0] }
    } finally {
      await session.close()
    }
  })
})
