// tasks/get, tasks/update and tasks/cancel. No task of ours asks for input, so an update has nothing to bring; to cancel is a wish, which
// work that is over does not follow.
import { Effect } from "effect"
import { HEADER_MISMATCH, type StandardHeaders } from "../protocolRevisions.ts"
import { INVALID_PARAMS } from "../refusal.ts"
import type { Message } from "../rpcEnvelope.ts"
import type { RpcError } from "../rpcErrors.ts"
import type { ToolContext } from "../ToolContext.ts"
import { followsTasks, missingCapability, taskNotFound } from "./extension.ts"
import { taskKinds } from "./taskKinds.ts"

type Answered =
  | { readonly status: number; readonly result: unknown }
  | { readonly status: number; readonly error: RpcError }

const methods = ["tasks/get", "tasks/update", "tasks/cancel"]
export const isTaskMethod = (method: string): boolean => methods.includes(method)

/** The extension's rule for this transport: the header names the task. */
const mismatch: RpcError = {
  code: HEADER_MISMATCH,
  message: "Mcp-Method must be the method and Mcp-Name the taskId of the body."
}

/** Cancelling changes something. */
const onlyReading: RpcError = {
  code: INVALID_PARAMS,
  message: "This connection asked for what changes nothing (readonly)."
}

/** Longer ids are not looked at. */
const longestId = 200

export const readTask = (desk: ToolContext, taskId: unknown) => {
  if (typeof taskId !== "string" || taskId.length > longestId) return Effect.succeed(undefined)
  const dash = taskId.indexOf("-")
  const kind =
    dash > 0 && Object.hasOwn(taskKinds, taskId.slice(0, dash)) ? taskKinds[taskId.slice(0, dash)] : undefined
  return kind === undefined ? Effect.succeed(undefined) : kind.read(desk, taskId.slice(dash + 1))
}

export const answerTask = Effect.fnUntraced(function* (
  desk: ToolContext,
  { method, params }: Message,
  headers: StandardHeaders
): Effect.fn.Return<Answered> {
  if (headers.method !== method || headers.name !== params?.["taskId"]) return { status: 400, error: mismatch }
  if (!followsTasks(params)) return { status: 400, error: missingCapability }
  if (method === "tasks/cancel" && desk.onlyReads) return { status: 200, error: onlyReading }
  const taskId = params?.["taskId"]
  const task = yield* readTask(desk, taskId)
  if (task === undefined) return { status: 200, error: taskNotFound }
  if (method === "tasks/get") return { status: 200, result: { resultType: "complete", ...task } }
  if (method === "tasks/cancel" && task.status === "working") {
    const [kind = "", ...rest] = task.taskId.split("-")
    yield* taskKinds[kind]!.cancel(desk, rest.join("-"))
  }
  return { status: 200, result: { resultType: "complete" } }
})
