// docs/console.md, Errors: a request that failed says in the words of its form what happened and what to do, in real Chromium over the whole
// service; what no service can be made to answer in a test is answered in its place.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HTTPRequest, Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { fill, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const showsWords = (page: Page, words: string) =>
  promise(() =>
    until(
      page,
      (text) => (globalThis as any).document.querySelector("[role=alert]")?.textContent.trim() === text,
      words
    )
  )

interface Refusal {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly words: string
  readonly more?: object
  readonly headers?: Readonly<Record<string, string>>
}

const refusals: ReadonlyArray<Refusal> = [
  {
    code: "forbidden",
    status: 403,
    message: "The credential lacks the scope users:manage.",
    words: "Your role does not allow this. Ask an admin of the organization."
  },
  {
    code: "restricted_resource",
    status: 403,
    message: "This needs more rights on the workspace than you have.",
    words: "You may not do this. Ask an admin of the workspace for more access."
  },
  {
    code: "too_many_requests",
    status: 429,
    message: "Rate limit reached; retry in 90 s.",
    more: { retry_after: 90, rate_limit: 100 },
    headers: { "retry-after": "90" },
    words: "Too many requests. Wait 90 seconds, then try again."
  },
  {
    code: "internal_server_error",
    status: 500,
    message: "The service failed to carry this out; nothing was changed.",
    headers: { "x-request-id": "req_17" },
    words:
      "The service failed to do this, and nothing was changed. Try again. If it fails again, give the number req_17 to whoever operates the service."
  },
  {
    code: "service_unavailable",
    status: 503,
    message:
      "The database went away meanwhile; it is not known whether anything was changed. Look before you send it again.",
    more: { outcome: "unknown", retry_after: 90 },
    words: "The service lost its database while it did this. Look whether it was done before you try again."
  },
  {
    code: "conflict_error",
    status: 409,
    message: "If-Match names revision 3; record 12 is at revision 5.",
    words: "Somebody else changed it meanwhile. Reload the page, then make your change again."
  },
  {
    code: "dev_api_invalid_access_token",
    status: 401,
    message: "The credential is invalid, expired, revoked or blocked.",
    words: "Your session has ended. Reload the page to sign in again."
  }
]

layer(SharedScene, { excludeTestServices: true })("errors in the console", (it) => {
  it.effect("forms of people and mail accounts name their own fields, and no code", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      yield* call("POST", "/org/user", { name: "Mira Okafor", email: "mira@harbor.example", role: "member" })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/admin/members`, "Harbor Works")
      yield* opened(page, "Members")
      yield* press(page, "Invite a person")
      yield* fill(page, "Name", "Mira")
      yield* fill(page, "Email", "mira@harbor.example")
      yield* press(page, "Send invitation")
      yield* showsWords(page, "Nobody was invited. mira@harbor.example is a user of this organization already.")
      // Each answer in place of the service's.
      let refusal = refusals[0]!
      const answer = (request: HTTPRequest) => {
        if (request.isInterceptResolutionHandled()) return
        if (request.method() !== "POST" || !request.url().endsWith("/v1/org/user")) return void request.continue()
        const { code, headers = {}, message, more, status } = refusal
        const body = {
          status_code: status,
          endpoint: "/v1/org/user",
          error_code: code,
          error_message: message,
          ...more
        }
        void request.respond({ status, contentType: "application/json", headers, body: JSON.stringify(body) })
      }
      yield* promise(() => page.setRequestInterception(true))
      page.on("request", answer)
      for (const next of refusals) {
        refusal = next
        yield* press(page, "Send invitation")
        yield* showsWords(page, `Nobody was invited. ${next.words}`)
      }
      page.off("request", answer)
      yield* promise(() => page.setRequestInterception(false))
      yield* promise(() => page.goto(`${service.origin}/console/admin/mail`))
      yield* opened(page, "Mail accounts")
      yield* press(page, "New mail account")
      for (const [label, text] of [
        ["Name", "Harbor"],
        ["Server", "smtp.harbor.example"],
        ["Port", "99999"],
        ["Sender's address", "office@harbor.example"]
      ] as const)
        yield* fill(page, label, text)
      yield* press(page, "Add the account")
      yield* showsWords(page, "The account was not kept. Port has to be between 1 and 65535.")
      assert.notMatch(yield* promise(() => page.$eval("dialog[open]", (dialog: any) => dialog.textContent)), /_/)
    }).pipe(Effect.scoped)
  )

  it.effect("a record names its fields by their labels; an address that leads nowhere says where to go", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const unique = {
        field_type: "single_text",
        config: { label: "Number of the hull", required: true, unique: true }
      }
      const { app_id } = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Hulls",
        item_name: "Hull",
        fields: [unique, field("single_text", "Yard")]
      })
      yield* call("POST", `/record/app/${app_id}`, { fields: { number_of_the_hull: "H-1" } })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/records/999999`, "Harbor Works")
      yield* shows(page, "It was deleted, or you have no access to it. Ask an admin of its workspace if you need it.")
      yield* promise(() => page.goto(`${service.origin}/console/records/nonsense`))
      yield* shows(page, "The address of this page leads to nothing. Go back, or find it by the search.")
      yield* promise(() => page.goto(`${service.origin}/console/apps/${app_id}/new`))
      yield* opened(page, "New hull")
      yield* fill(page, "Number of the hull (required)", "H-1")
      yield* press(page, "Save")
      yield* showsWords(
        page,
        "The record was not saved. Another record has the same value of Number of the hull, which has to be unique. Choose another value."
      )
      yield* fill(page, "Number of the hull (required)", "  ")
      yield* press(page, "Save")
      yield* showsWords(page, "The record was not saved. Number of the hull has to be filled in.")
    }).pipe(Effect.scoped)
  )
})
