// States how long a client may keep a list or a resource, and for whom (MCP 2026-07-28, caching). Answers that are the same for everybody
// change with a release only. Answers that depend on the caller's rights are requested anew each time: rights can be withdrawn at any
// moment.
import type { ServerOptions } from "@modelcontextprotocol/server"
import { publishedAt } from "./publishedResources.ts"

const released = { ttlMs: 300_000, cacheScope: "public" } as const
/** Changes with a release too, but depends on what the caller asked to be offered. */
const privateRelease = { ttlMs: 300_000, cacheScope: "private" } as const
const ofTheCaller = { ttlMs: 0, cacheScope: "private" } as const

export const cacheHints = {
  "server/discover": released,
  "tools/list": privateRelease,
  "prompts/list": released,
  "resources/templates/list": released,
  "resources/list": ofTheCaller,
  "resources/read": ofTheCaller
} as const satisfies ServerOptions["cacheHints"]

export const cacheOfResource = (uri: string) => (publishedAt(uri) !== undefined ? released : ofTheCaller)
