// What the console asks about the person of its session, and does for them, beside the API (docs/decisions.md, "The console"): by the cookie,
// for the user for whom this page was opened. Who is to show anew that it is them is led there and comes back.
import { ApiError, TransportError } from "@millrace/client"
import { account as texts } from "../texts/ui/api.ts"
import { watchedFetch } from "./service.ts"
import { currentUserId, leave } from "./session.ts"

/** Where the sign-in is shown anew; it leads back. */
export const confirmAddress = () => `/account/confirm?next=${encodeURIComponent(location.pathname + location.search)}`

/** @param path below `/console/account` or `/console/organization` */
export const ask = async <Answer = object>(path: `/${string}`, input: object = {}): Promise<Answer> => {
  const response = await watchedFetch(`/console${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ as: await currentUserId(), ...input })
  })
  if (response.status === 401) return leave(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
  const answer = await response.json().catch((cause: unknown) => {
    throw new TransportError(texts.answerIsNoJson, { cause, status: response.status })
  })
  if (response.ok) return answer
  if (answer.error_code === "confirmation_required") return leave(confirmAddress())
  throw new ApiError(answer, response.headers)
}
