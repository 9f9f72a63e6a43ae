// People with a second step, as the pages set it up: what tests of it begin with.
import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { TOTP } from "otpauth"
import { factorNotices } from "../../../src/domain/accounts/factors/factorMails.ts"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import { tellNotices } from "../../../src/platform/mail/notices.ts"
import type { Authenticator } from "../../support/authenticator.ts"
import { eventually } from "../../support/eventually.ts"
import { hiddenIn } from "../../support/oauth.ts"
import { type Browser, PASSWORD } from "./support.ts"

export const secretIn = (page: string) => /aria-label="The secret">([A-Z2-7 ]+)</.exec(page)![1]!.replaceAll(" ", "")

export const codeAt = (secret: string, millis: number) =>
  new TOTP({ secret, digits: 6, period: 30, algorithm: "SHA1" }).generate({ timestamp: millis })

export const askedIn = (page: string): { readonly challenge: string } =>
  JSON.parse(/data-options="([^"]*)"/.exec(page)![1]!.replaceAll("&quot;", '"').replaceAll("&amp;", "&"))

const codesIn = (page: string) =>
  [...page.matchAll(/<li><code>([0-9a-z-]{19})<\/code><\/li>/g)].map(([, code]) => code!)

/** Signed in by the password. Adds an app by its code of `now`; recovery codes where it was the first. */
export const addApp = Effect.fnUntraced(function* (b: Browser, now: number) {
  const setupPage = yield* b.get("/account/factors/app")
  const secret = secretIn(setupPage.text)
  const fields = { csrf: hiddenIn(setupPage.text, "csrf"), secret: hiddenIn(setupPage.text, "secret"), next: "/" }
  const added = yield* b.post("/account/factors/app", { ...fields, name: "Phone", code: codeAt(secret, now) })
  const codes = codesIn((yield* b.get(added.headers.get("location") ?? "/account/factors")).text)
  return { secret, codes }
})

export const addPasskey = Effect.fnUntraced(function* (b: Browser, key: Authenticator) {
  const factorsPage = yield* b.get("/account/factors?next=/")
  const answer = key.register(askedIn(factorsPage.text))
  const fields = { csrf: hiddenIn(factorsPage.text, "csrf"), next: "/", action: "passkey", name: "Laptop", answer }
  const added = yield* b.post("/account/factors", fields)
  return { added, codes: codesIn((yield* b.get("/account/factors/codes")).text) }
})

/** The password was right; answers the page that asks for more. */
export const toSecondStep = Effect.fnUntraced(function* (b: Browser, email: string) {
  const page = yield* b.submit("/sign-in", { email, password: PASSWORD, next: "/account/password" })
  return { page, csrf: hiddenIn(page.text, "csrf") }
})

/** Answers the page that asks for a second step. */
export const step = (b: Browser, csrf: string, members: Record<string, string>) =>
  b.post("/sign-in/second-step", { csrf, next: "/account/password", ...members })

/** Waits until just these have been mailed to the address, in whatever order; the rounds are a worker's, of which there is none here. */
export const mailed = (email: string, subjects: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const mail = yield* Mail
    yield* tellNotices(yield* factorNotices, (notice) => mail.send({ ...notice, system: true }))
    const sentSubjects = sql<{ subject: string }>`
      SELECT subject FROM mails WHERE ${email} = ANY(recipients) AND status = 'kept' ORDER BY subject`
    yield* eventually(`mails to ${email}`, sentSubjects, (rows) =>
      isDeepStrictEqual(
        rows.map(({ subject }) => subject),
        subjects.toSorted()
      )
    )
  }).pipe(TestClock.withLive)
