// The token of this page (docs/decisions.md, "The console"): asked for by the session's cookie, kept in memory alone, renewed before it
// ends. Whoever is not signed in, or has no organization chosen, is led where that is done and comes back.
import type { Credentials } from "@millrace/client"

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

const encodeLocation = () => encodeURIComponent(location.pathname + location.search)

/** Leaves the page; what waits for an answer goes on waiting until it is gone. */
const leave = (to: string): Promise<never> => {
  location.assign(to)
  return new Promise(() => {})
}

const ask = async (): Promise<Held> => {
  const response = await fetch("/console/token", { method: "POST", headers: { accept: "application/json" } })
  if (response.status === 401) return leave(`/sign-in?next=${encodeLocation()}`)
  if (response.status === 409) return leave(`/organization?next=${encodeLocation()}`)
  const answer = await response.json()
  if (!response.ok) throw new SignedOut(String(answer.error_message))
  // Another organization was chosen in another tab: nothing of the former one stays on the screen.
  if (currentSession !== undefined && currentSession.userId !== answer.user_id) {
    location.reload()
    return new Promise(() => {})
  }
  currentSession = { token: answer.access_token, userId: answer.user_id, until: Date.now() + answer.expires_in * 1000 }
  return currentSession
}

export const sessionCredentials: Credentials = {
  token: async (refused) => {
    if (currentSession !== undefined && currentSession.token !== refused && currentSession.until - EARLY > Date.now())
      return currentSession.token
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return (await asking).token
  }
}
