// The state of a question that a client carries back (MCP 2026-07-28, multi round-trip requests): signed, of one user and one call, for ten
// minutes. Nothing is kept here, so any process takes the answer. It may be shown again within its time; what it allows is then asked
// of the API again.
import { Clock, Effect } from "effect"
import type { Secrets } from "../../../platform/sealing/Secrets.ts"
import { hashToken } from "../../../platform/sealing/Secrets.ts"

const lifetimeMillis = 600_000
const purpose = "mcp/request-state"
/** A state is much shorter; what is longer is not looked at. */
const longest = 500

/** Hash of who was asked and about which call; hashed since the arguments may be of any length. */
const bindingOf = (userId: number, tool: string, args: unknown) =>
  Buffer.from(hashToken(JSON.stringify([userId, tool, args ?? {}]))).toString("base64url")

type Sealing = Pick<Secrets["Service"], "sign" | "verify">

export const mint = Effect.fnUntraced(function* ({ sign }: Sealing, userId: number, tool: string, args: unknown) {
  const text = `${(yield* Clock.currentTimeMillis) + lifetimeMillis}.${bindingOf(userId, tool, args)}`
  return `${text}.${sign(purpose, text)}`
})

export const isOurs = Effect.fnUntraced(function* (
  { verify }: Sealing,
  state: string,
  userId: number,
  tool: string,
  args: unknown
) {
  if (state.length > longest) return false
  const [until = "", binding = "", signature = "", ...more] = state.split(".")
  if (more.length > 0 || !verify(purpose, `${until}.${binding}`, signature)) return false
  return Number(until) > (yield* Clock.currentTimeMillis) && binding === bindingOf(userId, tool, args)
})
