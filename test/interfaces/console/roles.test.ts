// developer-api.md 2.3, decisions "The console": nobody sees in the console what their role does not show. Each page of the router, opened as
// each role: nothing of what is kept from it stands on the page or in any answer that the page asked for, and nothing is offered that would be
// refused.
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { HTTPRequest, Page } from "puppeteer-core"
import { passwordHash } from "../../support/passwordHash.ts"
import { PASSWORD, Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { callerOfScene, field, seedRuns } from "./consoleSeeds.ts"
import { complaintsOf, openConsoleTab, promise } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** Of a private workspace: for its members alone, whatever the role of others. */
const PRIVATE = ["Night watch", "Contraband", "Buried treasure", "Counts the gold", "gold.example", "VAULT_KEY"]
/** Of the workspace that everybody but guests belongs to. */
const SHARED = ["Ships", "The Tern", "Tells the pier", "The pier is shut."]
/** Of administration: an address that only members know, an entry of the audit log. */
const PEOPLE = ["admin@roles.example"]
/** Of its accounts elsewhere, which are for its owners and admins. */
const ACCOUNTS = ["Harbor mail", "Port authority"]

const ROLES = {
  admin: PRIVATE,
  member: [...PRIVATE, ...ACCOUNTS],
  guest: [...PRIVATE, ...SHARED, ...PEOPLE, ...ACCOUNTS]
} as const
type Role = keyof typeof ROLES

/** What a page offers to whoever may do it: administration of a workspace, or of the organization. */
const ofAdmins = [
  ...["New app", "Settings", "New webhook", "New automation", "Activate", "Pause", "Retry", "Cancel"],
  ...["Invite a person", "Add a secret", "New mail account", "New provider", "Try", "Change"]
]
const ofWriters = ["New record", "Import", "Delete", "New workspace"]
const notOffered: Record<Role, ReadonlyArray<string>> = {
  admin: [],
  member: ofAdmins,
  guest: [...ofAdmins, ...ofWriters]
}

/** The audit log tells owners and admins of everything that is administered, private workspaces too. */
const isAudit = (place: string) => place.startsWith("/admin/audit") || place.startsWith("/v1/audit")

type Ids = Record<"appId" | "recordId" | "hookId" | "runId" | "automationId" | "workspaceId", number | string>

const routes = readFileSync(new URL("../../../console/src/router.tsx", import.meta.url), "utf8")
/** Every address of the router. */
const paths = [...routes.matchAll(/^ {2}path: "([^"]+)"/gm)].map(([, path]) => path!)

const seeded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId } = yield* Scene
  const { automation, failed, record_id } = yield* seedRuns
  const call = yield* callerOfScene
  const { apps } = yield* call("GET", "/app")
  const ships = apps.find(({ name }: any) => name === "Ships")
  const { hook_id } = yield* call("POST", `/hook/app/${ships.app_id}`, {
    type: "record.create",
    url: "https://shared.example/hook"
  })
  yield* sql`
    INSERT INTO smtp_accounts (org_id, name, host, port, security, from_address, is_default, created_on)
    VALUES (${orgId}, 'Harbor mail', 'mail.example.com', 587, 'starttls', 'harbor@example.com', true, now())`
  yield* sql`
    INSERT INTO authentication_providers (org_id, name, grant_type, token_url, client_id, client_auth, created_on)
    VALUES (${orgId}, 'Port authority', 'client_credentials', 'https://port.example.com/token', 'harbor', 'basic', now())`
  const { workspaces } = yield* call("GET", "/workspace/org")
  const visibleIds: Ids = {
    appId: ships.app_id,
    recordId: record_id,
    hookId: hook_id,
    runId: String(failed),
    automationId: automation.id,
    workspaceId: workspaces[0].workspace_id
  }

  const privateWorkspace = yield* call("POST", "/workspace", { name: "Night watch", type: "private" })
  const app = yield* call("POST", "/app", {
    workspace_id: privateWorkspace.workspace_id,
    name: "Contraband",
    fields: [field("single_text", "Name")]
  })
  const record = yield* call("POST", `/record/app/${app.app_id}`, { fields: { name: "Buried treasure" } })
  const counts = yield* call("POST", `/automation/app/${app.app_id}`, {
    name: "Counts the gold",
    trigger: { type: "record_created", config: {} },
    actions: []
  })
  const hook = yield* call("POST", `/hook/app/${app.app_id}`, {
    type: "record.create",
    url: "https://gold.example/hook"
  })
  yield* call("POST", `/secret/app/${app.app_id}`, { name: "VAULT_KEY", value: "of nobody's business" })
  const createdAt = new Date()
  const [run] = yield* sql<{ run_id: string }>`
    INSERT INTO runs ${sql.insert({
      org_id: orgId,
      app_id: app.app_id,
      automation_id: counts.automation.id,
      revision_id: 1,
      event_id: 900,
      type: "regular",
      status: "failed",
      failure_reason: "actions_failed",
      error_message: "Buried treasure is gone.",
      durable: false,
      depth: 0,
      chain: "{}",
      record_id: record.record_id,
      created_on: createdAt,
      started_on: createdAt,
      completed_on: createdAt
    })} RETURNING run_id::text`
  yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${run!.run_id}::bigint, '{ "type": "record_created" }')`
  const hiddenIds: Ids = {
    appId: app.app_id,
    recordId: record.record_id,
    hookId: hook.hook_id,
    runId: run!.run_id,
    automationId: counts.automation.id,
    workspaceId: privateWorkspace.workspace_id
  }

  const hash = yield* passwordHash(PASSWORD)
  const [lighthouse] = yield* sql<{ org_id: number }>`SELECT org_id FROM organizations WHERE name = 'Lighthouse'`
  for (const role of Object.keys(ROLES)) {
    const [person] = yield* sql<{ person_id: number }>`
      INSERT INTO people (email, name, password_hash, created_on)
      VALUES (${`${role}@roles.example`}, ${`Some ${role}`}, ${hash}, now()) RETURNING person_id`
    for (const [org, as] of [
      [orgId, role],
      [lighthouse!.org_id, "guest"]
    ] as const)
      yield* sql`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${org}, ${person!.person_id}, ${`Some ${role}`}, ${as}, 'active', now())`
  }
  return { hidden: hiddenIds, shown: visibleIds }
})

/** What a page asks of the API, and whether it waits for an answer. */
const watched = (page: Page, wrong: (what: string) => void) => {
  /** Those of a page that was left may never be said to be over. */
  let openRequests = new Set<HTTPRequest>()
  let answers: Array<Promise<string>> = []
  const ofApi = (url: string) => {
    const { pathname } = new URL(url)
    return pathname.startsWith("/v1/") && pathname !== "/v1/events"
  }
  page.on("request", (request) => {
    if (ofApi(request.url())) openRequests.add(request)
  })
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event, (request) => void openRequests.delete(request))
  page.on("response", (response) => {
    if (!ofApi(response.url())) return
    const { pathname } = new URL(response.url())
    if (response.status() >= 500) wrong(`${pathname} answers ${response.status()}`)
    // A page that is left takes its answers along.
    answers.push(
      response.text().then(
        (text) => `${pathname} ${text}`,
        () => ""
      )
    )
  })
  const drawn = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`
  return {
    /** Opens the address until the page says something and asks for nothing more; what it was answered. */
    open: (address: string) =>
      promise(async () => {
        // A page that hears of a change asks anew, even while it is left.
        await page.goto("about:blank")
        answers = []
        openRequests = new Set()
        await page.goto(address)
        const end = Date.now() + 60_000
        for (;;) {
          await until(page, `document.querySelector("h1") !== null && document.querySelector(".loading") === null`)
          await page.evaluate(drawn)
          if (openRequests.size === 0 && (await page.$(".loading")) === null) return Promise.all(answers)
          if (Date.now() > end) {
            const stillOpen = [...openRequests].map((request) => `${request.method()} ${request.url()}`)
            throw new Error(`${address}: still open: ${stillOpen.join(", ")}`)
          }
        }
      })
  }
}

layer(SharedScene, { excludeTestServices: true })("roles in the console", (it) => {
  it.effect("nothing that the role does not show is on a page or in its answers, nothing refused is offered", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { hidden, shown } = yield* seeded
      assert.isAbove(paths.length, 25)
      const wrong: Array<string> = []
      for (const role of Object.keys(ROLES) as ReadonlyArray<Role>) {
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        const { open } = watched(page, (what) => wrong.push(`${role}: ${what}`))
        yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works", `${role}@roles.example`)
        for (const path of paths) {
          for (const ids of path.includes("$") ? [shown, hidden] : [shown]) {
            const filled = path.replaceAll(/\$(\w+)/g, (_, name: keyof Ids) => String(ids[name]))
            assert.notInclude(filled, "undefined", path)
            const answers = yield* open(`${service.origin}/console${filled}`)
            const where = `${role} at ${path}${ids === hidden ? ", hidden" : ""}`
            const text = yield* promise(() => page.evaluate("document.body.innerText") as Promise<string>)
            for (const word of role === "admin" && isAudit(path) ? [] : ROLES[role])
              if (text.includes(word)) wrong.push(`${where}: the page shows ${word}`)
            for (const answer of answers)
              for (const word of ROLES[role])
                if (answer.includes(word) && !(role === "admin" && isAudit(answer)))
                  wrong.push(`${where}: ${answer.split(" ")[0]} tells of ${word}`)
            const offered = yield* promise(
              () =>
                page.evaluate(
                  `[...document.querySelectorAll("main button, main a.button")].map((one) => one.innerText.trim())`
                ) as Promise<ReadonlyArray<string>>
            )
            for (const name of offered) if (notOffered[role].includes(name)) wrong.push(`${where}: ${name} is offered`)
          }
        }
        const inconsistent = complaintsOf(tab).filter((one) => !/status of (?:403|404|410)/.test(one))
        wrong.push(...inconsistent.map((one) => `${role}: ${one}`))
      }
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.scoped)
  )
})
