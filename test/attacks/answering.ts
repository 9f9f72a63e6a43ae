// Whether a service still answers: those who asked last hold their places until it is known that they have left.
import { Effect } from "effect"
import { eventually } from "../support/eventually.ts"

/** Waits until the address answers the holder of the token with 200. */
export const answers = (url: string, token: string) => {
  const fetchPage = Effect.promise(async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, text: await answer.text() }
  })
  return eventually(`an answer of ${new URL(url).pathname}`, fetchPage, ({ status }) => status === 200)
}
