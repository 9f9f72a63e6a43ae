// Hands a POST's requests to the SDK and waits for their answers, inside the request's own fiber: when the client goes away,
// what it asked for is interrupted.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { Cause, Effect } from "effect"
import type { CallerShape } from "../accounts/Caller.ts"
import type { InProcess } from "../http/InProcess.ts"
import type { Envelope } from "./envelope.ts"
import { makeSession } from "./session.ts"

/** The SDK sends a failure's message to the client, so a fault of ours gets a message of ours. */
const guarded = <A>(effect: Effect.Effect<A>) =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const known = Cause.squash(cause)
    if (known instanceof McpError) return Effect.die(known)
    const told = Effect.die(new McpError(ErrorCode.InternalError, "The service failed to carry this out."))
    return Effect.andThen(Effect.logError("an MCP request failed", cause), told)
  })

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
      const body: unknown = await answer.json()
      return { status: answer.status, body: batch && !Array.isArray(body) ? [body] : body }
    } finally {
      await session.close()
    }
  })
})
