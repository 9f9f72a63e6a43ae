// docs/console.md, the administration in real Chromium: people and their roles, workspaces and their members, secrets that are never read
// back; each page as axe, a phone and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { typeInto, until } from "../pages/waiting.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  fill,
  gone,
  judged,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("the administration", (it) => {
  it.effect("people are invited, given another role, deactivated, activated and removed", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const sql = yield* SqlClient.SqlClient
      yield* call("POST", "/org/user", { name: "Guest of the pier", email: "guest@pier.example", role: "guest" })
      const { workspace_id } = yield* call("POST", "/workspace", { name: "Pier crew", type: "closed" })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/admin`, "Harbor Works")
      yield* opened(page, "Administration")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* press(page, "Members", "link")
      yield* opened(page, "Members")
      yield* press(page, "Invite a person")
      yield* fill(page, "Name", "Mira Okafor")
      yield* fill(page, "Email", "mira@harbor.example")
      yield* press(page, "Pier crew", "checkbox")
      yield* press(page, "Send invitation")
      yield* shows(page, "This service sends no mail.")
      yield* press(page, "Close")
      yield* gone(page, "dialog")
      const mira = Effect.map(call("GET", "/org/user"), ({ users }) =>
        users.find(({ email }: any) => email === "mira@harbor.example")
      )
      assert.deepInclude(yield* mira, { role: "member", status: "invited" })
      const { workspace_members } = yield* call("GET", `/workspace/${workspace_id}/member`)
      const miraId = (yield* mira).user_id
      assert.deepInclude(
        workspace_members.find((member: any) => member.user_id === miraId),
        { role: "member" }
      )
      yield* press(page, "Role of Mira Okafor")
      yield* press(page, "Guest Only what is shared with them. No apps of others, no tokens.", "radio")
      yield* shows(page, "Their tokens and connected apps end at once")
      yield* press(page, "Give this role")
      yield* gone(page, "dialog")
      assert.deepInclude(yield* mira, { role: "guest" })
      const { user_id } = yield* mira
      yield* sql`UPDATE users SET status = 'active' WHERE user_id = ${user_id}`
      yield* promise(() => page.reload())
      yield* press(page, "Deactivate Mira Okafor")
      yield* shows(page, "You can activate them again.")
      yield* press(page, "Deactivate")
      yield* press(page, "Activate Mira Okafor")
      yield* press(page, "Remove Mira Okafor")
      yield* shows(page, "What they wrote keeps their name.")
      yield* press(page, "Remove from the organization")
      yield* promise(() =>
        until(page, () => !(globalThis as any).document.body.innerText.includes("mira@harbor.example"))
      )
      assert.isUndefined(yield* mira)
      assert.deepStrictEqual(complaintsOf(tab), [])
      for (const [path, heading] of [
        ["", "Administration"],
        ["/members", "Members"]
      ] as const)
        yield* judged(browser, {
          address: `${service.origin}/console/admin${path}`,
          heading,
          name: `admin-${heading.toLowerCase()}`,
          cookies
        })
    }).pipe(Effect.scoped)
  )

  it.effect("a workspace is made, and people are put into it and taken out", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      yield* call("POST", "/org/user", { name: "Ada Pier", email: "ada@pier.example", role: "member" })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/admin/workspaces`, "Harbor Works")
      yield* opened(page, "Workspaces")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* press(page, "New workspace")
      yield* fill(page, "Name", "Night shift")
      yield* press(page, "Create workspace")
      yield* opened(page, "Night shift")
      yield* choose(page, "Person", "Ada Pier (ada@pier.example)")
      yield* press(page, "Add")
      yield* shows(page, "Ada Pier")
      yield* choose(page, "Role of Ada Pier", "Admin: builds apps, automations and webhooks, chooses members")
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { workspace_id } = workspaces.find(({ name }: any) => name === "Night shift")
      yield* judged(browser, {
        address: `${service.origin}/console/admin/workspaces/${workspace_id}`,
        heading: "Night shift",
        name: "admin-workspace",
        cookies
      })
      yield* press(page, "Remove Ada Pier")
      yield* press(page, "Remove")
      yield* gone(page, `[aria-label="Remove Ada Pier"]`)
      const { workspace_members } = yield* call("GET", `/workspace/${workspace_id}/member`)
      assert.strictEqual(workspace_members.length, 1)
      assert.deepStrictEqual(complaintsOf(tab), [])
      yield* judged(browser, {
        address: `${service.origin}/console/admin/workspaces`,
        heading: "Workspaces",
        name: "admin-workspaces",
        cookies
      })
    }).pipe(Effect.scoped)
  )

  it.effect("a secret is kept, replaced and deleted, and its value is nowhere on the page or in an answer", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/admin/secrets`, "Harbor Works")
      yield* opened(page, "Secrets")
      const answers: Array<string> = []
      page.on("response", (response) => {
        if (response.url().includes("/v1/secret"))
          void response.text().then(
            (text) => answers.push(text),
            () => {}
          )
      })
      yield* fill(page, "Name", "tide_table")
      yield* fill(page, "Value", "salt-and-water")
      yield* press(page, "Add secret")
      yield* press(page, "Replace tide_table")
      yield* promise(async () => {
        await typeInto(page, "dialog input", "more-salt-and-water")
      })
      yield* press(page, "Replace the value")
      yield* gone(page, "dialog")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, {
        address: `${service.origin}/console/admin/secrets`,
        heading: "Secrets",
        name: "admin-secrets",
        cookies
      })
      assert.isNotEmpty(answers)
      const pageHtml = yield* promise(() => page.content())
      for (const text of [...answers, pageHtml]) assert.notInclude(text, "salt-and-water")
      yield* press(page, "Delete tide_table")
      yield* press(page, "Delete the secret")
      yield* shows(page, "No secrets here")
      assert.deepStrictEqual((yield* call("GET", "/secret/org")).secrets, [])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("what the organization uses stands beside its limits, by the hour, and says what happens at the end", () =>
    Effect.gen(function* () {
      const { browser, orgId, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO run_credits (org_id, hour, used)
        SELECT ${orgId}, date_trunc('hour', now()) - i * interval '1 hour', 40 * i FROM generate_series(1, 9) i`
      yield* sql`
        INSERT INTO organization_storage (org_id, bytes) VALUES (${orgId}, 2500000)
        ON CONFLICT (org_id) DO UPDATE SET bytes = excluded.bytes`
      yield* sql`UPDATE organizations SET limits = '{"storage_megabytes":2}' WHERE org_id = ${orgId}`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/admin`, "Harbor Works")
      yield* press(page, "Usage", "link")
      yield* opened(page, "Usage")
      yield* shows(page, "0 of 1,000,000")
      yield* shows(page, "2.5 MB of 2 MB. No more files are taken.")
      const cookies = yield* promise(() => page.browserContext().cookies())
      const address = `${service.origin}/console/admin/usage`
      yield* judged(browser, { address, heading: "Usage", name: "admin-usage", cookies })
      assert.deepStrictEqual(complaintsOf(tab), [])
      yield* sql`UPDATE organizations SET limits = '{}' WHERE org_id = ${orgId}`
    }).pipe(Effect.scoped)
  )

  it.effect("the audit log is told in words, found by kind and person, and kept as a file", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      yield* call("POST", "/org/user", {
        name: "Noa Quay",
        email: "noa@pier.example",
        role: "member",
        skip_invitation: true
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/admin/audit`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Audit")
      const sentence = "Noa Quay was added to the organization, by Harbor Owner"
      yield* promise(() =>
        until(page, (text) => (globalThis as any).document.querySelector("main").textContent.includes(text), sentence)
      )
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Audit", name: "admin-audit", cookies })
      const oneEntry = promise(() =>
        until(page, () => (globalThis as any).document.querySelectorAll(".person").length === 1)
      )
      yield* choose(page, "What", "Members")
      yield* choose(page, "Person", "Noa Quay")
      yield* oneEntry
      // The address holds what is searched for, the former one too; the name of an entry narrows to its person.
      const { user_id } = (yield* call("GET", "/org/user")).users.find(({ name }: any) => name === "Noa Quay")
      const isNarrowed = promise(() => until(page, `location.search === "?event=user&user_id=${user_id}"`))
      yield* isNarrowed
      yield* promise(() => page.goto(`${service.origin}/organization/audit?what=user`))
      yield* opened(page, "Audit")
      yield* press(page, "Noa Quay", "link")
      yield* oneEntry
      yield* isNarrowed
      yield* judgedInAllSizes(page, "admin-audit-person")
      // What a press on a link to download would keep, read instead.
      yield* promise(() =>
        page.evaluate(
          `globalThis.kept = []; URL.createObjectURL = (blob) => { blob.text().then((text) => kept.push(text)); return "#" }`
        )
      )
      yield* press(page, "Export as JSON lines")
      yield* press(page, "Export as CSV")
      yield* promise(() => until(page, "kept.length === 2"))
      const [lines, table] = (yield* promise(() => page.evaluate("kept"))) as [string, string]
      assert.deepInclude(JSON.parse(lines), { event: "user.added", user_name: "Noa Quay" })
      assert.match(table, /^audit_id,happened_on,event,.*\r\n\d+,[^,]+,user.added,/)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("P8: of two thousand people no page holds a list: what is typed narrows what is offered", () =>
    Effect.gen(function* () {
      const { browser, orgId, service } = yield* Scene
      const call = yield* callerOfScene
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        WITH p AS (
          INSERT INTO people (email, name, created_on)
          SELECT 'many' || n || '@pier.example', 'Hand No. ' || n, now() FROM generate_series(1, 2000) n RETURNING person_id, name)
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        SELECT ${orgId}, person_id, name, 'member', 'active', now() FROM p`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/admin/audit`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Audit")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Audit", name: "admin-audit-many", cookies })
      // Until the people are there it is a list without any.
      const field = promise(() => until(page, "document.querySelector('main input[role=combobox]') !== null"))
      const offers = (count: number) =>
        promise(() => until(page, `document.querySelectorAll("[role=option]").length === ${count}`))
      yield* field
      yield* fill(page, "Person", "Hand No. 17", "combobox")
      yield* offers(50)
      yield* fill(page, "Person", "Hand No. none", "combobox")
      yield* shows(page, "Nothing found.")
      yield* fill(page, "Person", "Hand No. 1999", "combobox")
      yield* offers(1)
      yield* promise(() => page.keyboard.press("Enter"))
      yield* shows(page, "Nothing of this kind is recorded")

      const { workspaces } = yield* call("GET", "/workspace/org")
      const [{ workspace_id, name }] = workspaces
      yield* promise(() => page.goto(`${service.origin}/console/admin/workspaces/${workspace_id}`))
      yield* opened(page, name)
      yield* field
      yield* press(page, "Add")
      yield* choose(page, "Person", "Hand No. 1998 (many1998@pier.example)")
      yield* press(page, "Add")
      yield* promise(() => until(page, `document.querySelector('[aria-label="Remove Hand No. 1998"]') !== null`))
      assert.strictEqual(yield* promise(() => page.evaluate("document.querySelectorAll('.people > *').length")), 1)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
