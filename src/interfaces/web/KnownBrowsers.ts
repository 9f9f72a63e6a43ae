// Browsers in which a person has signed in before (decisions O22): a signed, long-lived cookie that names nobody, tells nothing
// and opens nothing. It gives guesses at this person from this browser a count of their own, and ends with the password.
import { randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Meant } from "../../domain/accounts/People.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import type { Response } from "./pageFrame.ts"
import type { Visit } from "./Visitors.ts"

const PURPOSE = "pages/known-browser"
/** People of one browser that are remembered, the latest first. */
const PEOPLE = 10
const DAYS = 365

/** `<nonce>.<issued, base 36>.<signature>`; the person is in what is signed only. */
const entryPattern = /^[\w-]{22}\.[0-9a-z]{1,10}\.[\w-]{20,100}$/

interface Entry {
  readonly text: string
  readonly nonce: string
  readonly issued: number
  readonly signature: string
}

const entriesOf = (cookie: string | undefined): ReadonlyArray<Entry> =>
  (cookie ?? "")
    .slice(0, 4000)
    .split("~", PEOPLE)
    .filter((text) => entryPattern.test(text))
    .map((text) => {
      const [nonce = "", issued = "", signature = ""] = text.split(".")
      return { text, nonce, issued: Number.parseInt(issued, 36), signature }
    })

export const makeKnownBrowsers = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const secrets = yield* Secrets
  const secure = baseUrl.startsWith("https:")
  const cookie = secure ? "__Host-millrace_known" : "millrace_known"
  const signed = (personId: number, nonce: string, issued: number) => `${personId} ${nonce} ${issued}`
  const isOf = (personId: number, { nonce, issued, signature }: Entry) =>
    secrets.verify(PURPOSE, signed(personId, nonce, issued), signature)

  return {
    /** Key under which this browser's guesses at the person are counted; undefined in a browser that they have not signed in with. */
    find: Effect.fnUntraced(function* ({ request, session }: Visit, { person }: Meant) {
      // Does equal work whether the person exists or not: there is no person 0.
      const personId = person?.person_id ?? 0
      const since = Math.max(
        (yield* Clock.currentTimeMillis) - DAYS * 86_400_000,
        person?.password_set_on?.getTime() ?? 0
      )
      const entries = entriesOf(request.cookies[cookie]).filter((entry) => isOf(personId, entry))
      const entry = entries.find(({ issued }) => issued >= since)
      if (entry !== undefined) return entry.nonce
      return session !== undefined && session.person_id === personId ? `session ${session.session_id}` : undefined
    }),

    /** Called when the person has shown to be themselves. Whoever took a copy of the former cookie keeps the former count. */
    remember: Effect.fnUntraced(function* (response: Response, { request }: Visit, personId: number) {
      const nonce = randomBytes(16).toString("base64url")
      const issued = yield* Clock.currentTimeMillis
      const newEntry = `${nonce}.${issued.toString(36)}.${secrets.sign(PURPOSE, signed(personId, nonce, issued))}`
      const otherEntries = entriesOf(request.cookies[cookie]).filter((entry) => !isOf(personId, entry))
      const value = [newEntry, ...otherEntries.map(({ text }) => text)].slice(0, PEOPLE).join("~")
      return HttpServerResponse.setCookieUnsafe(response, cookie, value, {
        httpOnly: true,
        secure,
        sameSite: "lax",
        path: "/",
        maxAge: `${DAYS} days`
      })
    })
  }
})
