// A tab with a session that is made by SQL: passwords are slow on purpose, and the pages of the sign-in have their own tests
// (console.test.ts here, test/interfaces/pages/browser.test.ts).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { EMAIL, Scene, type Tab } from "../pages/chromium.ts"
import { promise } from "./consoleTab.ts"

/** Opens an address as a person who has signed in before and chosen the organization. */
export const openSignedIn = Effect.fnUntraced(function* (
  { page }: Tab,
  address: string,
  organization: string,
  email = EMAIL
) {
  const sql = yield* SqlClient.SqlClient
  const { service } = yield* Scene
  const token = randomToken("")
  yield* sql`
    INSERT INTO sessions (token_hash, person_id, user_id, created_on, last_seen_on, expires_on)
    SELECT ${hashToken(token)}::bytea, person_id, user_id, now(), now(), now() + interval '30 days'
    FROM users JOIN people USING (person_id) JOIN organizations USING (org_id)
    WHERE people.email = ${email} AND organizations.name = ${organization}`
  yield* promise(async () => {
    await page.setCookie({ name: "millrace_session", value: token, url: service.origin, httpOnly: true })
    await page.goto(address)
  })
})
