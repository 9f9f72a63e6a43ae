// developer-api.md 11.5: the operator's link for somebody who is invited, whether the service sends mail or not.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

describe("npm run cli -- user invite", () => {
  it.live("prints a link of seven days, another one each time, and says so in the audit log without it", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const run = (...args: ReadonlyArray<string>) =>
        Effect.map(cli(databaseUrl, ...args, "--json"), ({ err, out }) => {
          assert.notStrictEqual(out, "", err)
          return JSON.parse(out)
        })
      const { org_id } = yield* run("organization", "create", "Harbor Works")
      yield* run("person", "create", "new@example.com", "--name", "New Person")
      const { user_id } = yield* run("user", "add", String(org_id), "new@example.com", "--role", "admin")
      const firstInvitation = yield* run("user", "invite", String(user_id))
      assert.deepInclude(firstInvitation, { user_id, email: "new@example.com", role: "admin", status: "invited" })
      assert.match(firstInvitation.invitation_url, /\/invitation\/[\w-]{43}$/)
      const second = yield* run("user", "invite", String(user_id))
      assert.notStrictEqual(second.invitation_url, firstInvitation.invitation_url)
      const log = yield* run("audit", "read", "--event", "user")
      const invitationEntries = log.filter(({ event }: any) => event.startsWith("user.invitation"))
      assert.deepStrictEqual(
        invitationEntries.map(({ details, event, user_id }: any) => [event, user_id, details.by]),
        [
          ["user.invitation_resent", user_id, "operator"],
          ["user.invitation_sent", user_id, "operator"]
        ]
      )
      for (const { invitation_url } of [firstInvitation, second])
        assert.notInclude(JSON.stringify(log), invitation_url.split("/").at(-1))
      assert.match((yield* cli(databaseUrl, "user", "invite", "999999")).err, /No user with id 999999/)
    }).pipe(Effect.scoped)
  )
})
