// Hands a POST's requests to the SDK and waits for their answers, inside the request's own fiber: when the client goes away,
// what it asked for is interrupted. Requests with `_meta` (2026-07-28) go to the SDK's handler for them, earlier ones straight to its server.
import {
  createMcpHandler,
  InMemoryTransport,
  type JSONRPCMessage,
  parseJSONRPCMessage
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { TASK_ID } from "./call.ts"
import type { StandardHeaders } from "./protocolRevisions.ts"
import { PARSE } from "./refusal.ts"
import type { Envelope } from "./rpcEnvelope.ts"
import { guarded, type RpcAnswer, worded } from "./rpcErrors.ts"
import { makeSession, type Setting } from "./session.ts"
import type { ToolContext } from "./ToolContext.ts"
import { followsTasks } from "./tasks/extension.ts"
import { answerTask, isTaskMethod, readTask } from "./tasks/taskMethods.ts"
import type { ToolOffer } from "./toolsets.ts"

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Answers of a POST's requests, in their order. */
interface Answers {
  readonly status: number
  readonly body: ReadonlyArray<RpcAnswer>
}

/** Request with only the headers that the SDK reads; everything else of the original was checked before. */
export const requestOf = ({ method, name, version }: StandardHeaders, signal: AbortSignal) => {
  const headers = new Headers({ accept: "application/json, text/event-stream", "content-type": "application/json" })
  if (version !== undefined) headers.set("mcp-protocol-version", version)
  if (method !== undefined) headers.set("mcp-method", method)
  if (name !== undefined) headers.set("mcp-name", name)
  return new Request("http://mcp.invalid/mcp", { method: "POST", headers, signal })
}

const modern = async (setting: Setting, { requests }: Envelope, request: Request): Promise<Answers> => {
  const handler = createMcpHandler(() => makeSession(setting, "modern"), { legacy: "reject" })
  const answer = await handler.fetch(request, { parsedBody: requests[0] })
  return { status: answer.status, body: [(await answer.json()) as RpcAnswer] }
}

/** Answer to a message that the SDK's schema of messages refuses, in the words of its transport for HTTP. */
const parseError = {
  jsonrpc: "2.0",
  error: { code: PARSE, message: "Parse error: Invalid JSON-RPC message" },
  id: null
}
const unreadable: Answers = { status: 400, body: [parseError] }

const parseAll = (requests: Envelope["requests"]): ReadonlyArray<JSONRPCMessage> | undefined => {
  try {
    return requests.map(parseJSONRPCMessage)
  } catch {
    return undefined
  }
}

/** Answers through a session that ends with its answers, so that none is closed. */
const legacy = async (setting: Setting, { requests }: Envelope): Promise<Answers> => {
  const messages = parseAll(requests)
  if (messages === undefined) return unreadable
  const [client, server] = InMemoryTransport.createLinkedPair()
  await makeSession(setting, "legacy").connect(server)
  const byId = new Map<unknown, RpcAnswer>()
  await new Promise<void>((resolve) => {
    client.onmessage = (answer) => {
      if ("id" in answer) byId.set(answer.id, answer as RpcAnswer)
      if (byId.size === messages.length) resolve()
    }
    for (const message of messages) void client.send(message)
  })
  return { status: 200, body: requests.map(({ id }) => byId.get(id)!) }
}

/** The task in the place of the answer that it stands for. */
const inPlace = Effect.fnUntraced(function* (desk: ToolContext, answered: Answered) {
  const body = answered.body as { readonly result?: { readonly _meta?: Readonly<Record<string, unknown>> } }
  const taskId = body.result?._meta?.[TASK_ID]
  if (taskId === undefined) return answered
  const task = yield* readTask(desk, taskId)
  return task === undefined ? answered : { ...answered, body: { ...body, result: { ...task, resultType: "task" } } }
})

export const converse = Effect.fnUntraced(function* (
  desk: Omit<ToolContext, "tasks">,
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
    const { batch, era } = envelope
    const setting = { desk: { ...desk, tasks }, offer, run }
    const { body, status } =
      era === "modern" ? await modern(setting, envelope, requestOf(headers, signal)) : await legacy(setting, envelope)
    const wordedAnswers = body.map((one) => worded(one, era))
    return { status, body: batch ? wordedAnswers : wordedAnswers[0] }
  })
  return tasks ? yield* inPlace({ ...desk, tasks }, answered) : answered
})
