// The extension for tasks (`io.modelcontextprotocol/tasks`, MCP 2026-07-28): its name, its shapes, and who speaks it. The package has none
// of it for servers, so its results and methods are ours.
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server"
import { INVALID_PARAMS } from "../refusal.ts"
import type { RpcError } from "../rpcErrors.ts"

export const TASKS = "io.modelcontextprotocol/tasks"

const MISSING_CAPABILITY = -32021

/** Times are ISO 8601; `ttlMs` counts from the creation. */
export interface LongTask {
  readonly taskId: string
  readonly status: "working" | "completed" | "cancelled"
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number | null
  readonly pollIntervalMs: number
  readonly result?: unknown
}

export const pollIntervalMs = 1_000

/** True if the client of a request says, in its `_meta`, that it follows tasks. */
export const followsTasks = (params: Readonly<Record<string, unknown>> | undefined): boolean => {
  const meta = params?.["_meta"] as Readonly<Record<string, any>> | undefined
  return meta?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[TASKS] !== undefined
}

/** The API's times are UTC without saying so. */
export const isoOf = (time: string): string => `${time.replace(" ", "T")}Z`

export const missingCapability: RpcError = {
  code: MISSING_CAPABILITY,
  message: "Missing required client capability",
  data: { requiredCapabilities: { extensions: { [TASKS]: {} } } }
}

export const taskNotFound: RpcError = {
  code: INVALID_PARAMS,
  message: "Task not found: it is another's, or was long ago."
}
