// How long a client may keep what is listed or read, and for whom (MCP 2026-07-28, caching). What is the same for everybody changes
// with a release only; what a caller may see depends on rights that can be withdrawn at any moment, so it is asked anew each time.
import type { ServerOptions } from "@modelcontextprotocol/server"
import { publishedAt } from "./publishedResources.ts"

const released = { ttlMs: 300_000, cacheScope: "public" } as const
/** Changes with a release too, but depends on what the caller asked to be offered. */
const asked = { ttlMs: 300_000, cacheScope: "private" } as const
const ofTheCaller = { ttlMs: 0, cacheScope: "private" } as const

export const cacheHints = {
  "server/discover": released,
  "tools/list": asked,
  "prompts/list": released,
  "resources/templates/list": released,
  "resources/list": ofTheCaller,
  "resources/read": ofTheCaller
} as const satisfies ServerOptions["cacheHints"]

export const cacheOfResource = (uri: string) => (publishedAt(uri) !== undefined ? released : ofTheCaller)
