// Hands a POST's requests to the SDK and waits for their answers, inside the request's own fiber: when the client goes away,
// what it asked for is interrupted. Requests with `_meta` (2026-07-28) go to the SDK's handler for them, earlier ones to a transport
// without a session.
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { TASK_ID } from "./call.ts"
import type { Desk } from "./Desk.ts"
import { guarded, type RpcAnswer, worded } from "./faults.ts"
import type { StandardHeaders } from "./protocolRevisions.ts"
import type { Envelope } from "./rpcEnvelope.ts"
import { makeSession, type Setting } from "./session.ts"
import { followsTasks } from "./tasks/extension.ts"
import { answerTask, isTaskMethod, readTask } from "./tasks/taskMethods.ts"
import type { ToolOffer } from "./toolsets.ts"

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Request with only the headers that the SDK reads; everything else of the original was checked before. */
export const requestOf = ({ method, name, version }: StandardHeaders, signal: AbortSignal) => {
  const headers = new Headers({ accept: "application/json, text/event-stream", "content-type": "application/json" })
  if (version !== undefined) headers.set("mcp-protocol-version", version)
  if (method !== undefined) headers.set("mcp-method", method)
  if (name !== undefined) headers.set("mcp-name", name)
  return new Request("http://mcp.invalid/mcp", { method: "POST", headers, signal })
}

const modern = async (setting: Setting, { requests }: Envelope, request: Request): Promise<Response> => {
  const handler = createMcpHandler(() => makeSession(setting, "modern"), { legacy: "reject" })
  return handler.fetch(request, { parsedBody: requests[0] })
}

const legacy = async (setting: Setting, { batch, requests }: Envelope, request: Request): Promise<Response> => {
  const session = makeSession(setting, "legacy")
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await session.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: batch ? requests : requests[0] })
  } finally {
    await session.close()
  }
}

/** The task in the place of the answer that it stands for. */
const inPlace = Effect.fnUntraced(function* (desk: Desk, answered: Answered) {
  const body = answered.body as { readonly result?: { readonly _meta?: Readonly<Record<string, unknown>> } }
  const taskId = body.result?._meta?.[TASK_ID]
  if (taskId === undefined) return answered
  const task = yield* readTask(desk, taskId)
  return task === undefined ? answered : { ...answered, body: { ...body, result: { ...task, resultType: "task" } } }
})

export const converse = Effect.fnUntraced(function* (
  desk: Omit<Desk, "tasks">,
  offer: ToolOffer,
  envelope: Envelope,
  headers: StandardHeaders
) {
  const context = yield* Effect.context<never>()
  const [request] = envelope.requests
  const modernRequest = envelope.era === "modern" ? request : undefined
  const tasks = followsTasks(modernRequest?.params)
  if (modernRequest !== undefined && isTaskMethod(modernRequest.method)) {
    const { status, ...answered } = yield* answerTask({ ...desk, tasks }, modernRequest, headers)
    return { status, body: { jsonrpc: "2.0", id: modernRequest.id, ...answered } }
  }
  const answered = yield* Effect.promise(async (signal): Promise<Answered> => {
    const run = <A>(effect: Effect.Effect<A>) => Effect.runPromiseWith(context)(guarded(effect), { signal })
    const { batch, era, version } = envelope
    const answer =
      era === "modern"
        ? await modern({ desk: { ...desk, tasks }, offer, run }, envelope, requestOf(headers, signal))
        : await legacy({ desk: { ...desk, tasks }, offer, run }, envelope, requestOf({ ...headers, version }, signal))
    const body = (await answer.json()) as RpcAnswer | ReadonlyArray<RpcAnswer>
    const wordedAnswers = (Array.isArray(body) ? body : [body]).map((one) => worded(one, era))
    return { status: answer.status, body: batch ? wordedAnswers : wordedAnswers[0] }
  })
  return tasks ? yield* inPlace({ ...desk, tasks }, answered) : answered
})
