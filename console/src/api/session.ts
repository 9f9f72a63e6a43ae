// The token of this page (docs/decisions.md, "The console"): asked for by the session's cookie, kept in memory alone, renewed before it
// ends. Whoever is not signed in, or has no organization chosen, is led where that is done and comes back; the other tabs of the browser
// follow, as they share the cookie.
import type { Credentials } from "@millrace/client"
import { watchedFetch } from "./service.ts"

/** Before its end, in milliseconds: requests under way go on with it. */
const EARLY = 60_000

interface Held {
  readonly token: string
  readonly userId: number
  readonly until: number
}

let currentSession: Held | undefined
let asking: Promise<Held> | undefined

export class SignedOut extends Error {}

/** Tells other tabs for whom the session is now: a user, or nobody. A tab of somebody else asks for itself. */
const channel = new BroadcastChannel("millrace session")
const NOBODY = 0

const encodeLocation = () => encodeURIComponent(location.pathname + location.search)

/** Leaves the page, or loads it anew; what waits for an answer goes on waiting until it is gone. */
export const leave = (to?: string): Promise<never> => {
  if (currentSession !== undefined && to !== undefined) channel.postMessage(NOBODY)
  if (to === undefined) location.reload()
  else location.assign(to)
  return new Promise(() => {})
}

const ask = async (): Promise<Held> => {
  const response = await watchedFetch("/console/token", { method: "POST", headers: { accept: "application/json" } })
  if (response.status === 401) return leave(`/sign-in?next=${encodeLocation()}`)
  if (response.status === 409) return leave(`/organization?next=${encodeLocation()}`)
  const answer = await response.json()
  if (!response.ok) throw new SignedOut(String(answer.error_message))
  // Another organization was chosen in another tab: nothing of the former one stays on the screen.
  if (currentSession !== undefined && currentSession.userId !== answer.user_id) return leave()
  if (currentSession === undefined) channel.postMessage(answer.user_id)
  currentSession = { token: answer.access_token, userId: answer.user_id, until: Date.now() + answer.expires_in * 1000 }
  return currentSession
}

/** The session with a token that is neither about to end nor the refused one. */
const session = async (refused?: string): Promise<Held> => {
  if (currentSession !== undefined && currentSession.token !== refused && currentSession.until - EARLY > Date.now())
    return currentSession
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

// Where the service is away, the next request asks.
channel.onmessage = ({ data }: MessageEvent<number>) => {
  if (currentSession !== undefined && currentSession.userId !== data)
    session(currentSession.token).catch(() => undefined)
}

/** The user for whom this page acts, until it is left. */
export const currentUserId = async (): Promise<number> => (await session()).userId

export const sessionCredentials: Credentials = { token: async (refused) => (await session(refused)).token }
