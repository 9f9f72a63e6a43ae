// Weblinks over HTTP, with real Postgres and Temporal (developer-api.md 7.10; decisions O9, P5).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { pruneWeblinks } from "../../../../src/domain/automations/weblinks/pruneWeblinks.ts"
import { App, seedUser } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, endDelays, runsOf, runsOver, setText, textOf } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"

const BASE = "http://127.0.0.1:8080"
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

/** An active automation that a click fires, and a record to click on. */
const setting = Effect.fnUntraced(function* (actions: ReadonlyArray<object> | null = null, config: object = {}) {
  const seeded = yield* seedApp()
  const ref = seeded.fields["reference"]!
  const state = { state: seeded.options["state"]![0] }
  const record = yield* createRecord(seeded.token, seeded.appId, state)
  const id = yield* automate(seeded.token, seeded.appId, {
    trigger: { type: "weblink_clicked", config },
    actions: actions ?? [setText(ref, "clicked")]
  })
  return { ...seeded, ref, state, record, id }
})

const generate = Effect.fnUntraced(function* (
  of: { readonly token: string; readonly id: number; readonly record: number },
  more: object = {},
  path = "/v1/automation/weblink/generate"
) {
  const app = yield* App
  return yield* app.call("POST", path, {
    token: of.token,
    body: { trigger_workflow_def_id: of.id, trigger_on_record_id: of.record, ...more }
  })
})

/** The path of a fresh link. */
const link = Effect.fnUntraced(function* (of: Parameters<typeof generate>[0], more: object = {}) {
  const creation = yield* generate(of, more)
  assert.strictEqual(creation.status, 201, creation.text)
  return new URL(creation.json.trigger_client_url).pathname
})

const triggerData = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ data: any }>`SELECT data FROM run_triggers WHERE run_id = ${runId}::bigint`, ([row]) => row!.data)
  )

layer(spineLayer(), { excludeTestServices: true })("weblinks (7.10)", (it) => {
  it.effect("generate answers token and address; the alias too; the database holds the token's hash only (O9)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting()
      for (const path of ["/v1/automation/weblink/generate", "/v1/workflow/weblink/generate"]) {
        const creation = yield* generate(world, {}, path)
        assert.strictEqual(creation.status, 201, creation.text)
        assert.match(creation.json.trigger_token, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        assert.strictEqual(creation.json.trigger_client_url, `${BASE}/weblink/trigger/${creation.json.trigger_token}`)
        const dump = JSON.stringify(yield* sql`SELECT to_jsonb(w) AS row FROM weblinks w`)
        assert.isFalse(dump.includes(creation.json.trigger_token))
      }
    })
  )

  it.effect("another trigger, an unknown automation or record, a record of another app or out of sight: 400", () =>
    Effect.gen(function* () {
      const world = yield* setting()
      const other = yield* setting()
      const called = yield* automate(world.token, world.appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [setText(world.ref, "x")]
      })
      assert.strictEqual((yield* generate({ ...world, id: called })).status, 400)
      assert.strictEqual((yield* generate({ ...world, id: 999_999 })).status, 400)
      assert.strictEqual((yield* generate({ ...world, record: 999_999 })).status, 400)
      assert.strictEqual((yield* generate({ ...world, record: other.record })).status, 400)
      assert.strictEqual((yield* generate({ ...world, id: other.id })).status, 400)
      assert.strictEqual((yield* generate(world, { expiration_type: "on_click" })).status, 400)
      const member = yield* seedUser(world.orgId, "member")
      assert.strictEqual((yield* generate({ ...world, token: member.key })).status, 400)
    })
  )

  it.effect("a click fires with count, arguments and the triggering record, and shows Done", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting()
      const initiator = yield* createRecord(world.token, world.appId, world.state)
      const path = yield* link(world, {
        triggered_by_record_id: initiator,
        triggered_by_workflow_def_id: world.id,
        trigger_with_arguments: { var_reason: "late" }
      })
      yield* app.call("GET", path)
      const page = yield* app.call("GET", path)
      assert.strictEqual(page.status, 200, page.text)
      assert.match(page.text, /<h1>Done<\/h1>/)
      assert.strictEqual(yield* textOf(world.record, world.ref), "clicked")
      const runs = yield* runsOver(world.id, 2)
      const data = yield* triggerData(runs[1]!.run_id)
      assert.strictEqual(data.weblink.click_count, 2)
      assert.match(data.weblink.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.deepStrictEqual(data.arguments, { var_reason: "late" })
      assert.strictEqual(data.triggering_record_id, initiator)
      assert.strictEqual((runs[1] as any).triggered_by_automation_id, world.id)
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
      assert.isNull(page.headers.get("set-cookie"))
    })
  )

  it.effect("HEAD and requests marked as prefetch do not fire", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting()
      const path = yield* link(world, { expire_after_first_click: true })
      assert.strictEqual((yield* app.call("HEAD", path)).status, 200)
      for (const headers of [
        { "sec-purpose": "prefetch;prerender" },
        { purpose: "prefetch" },
        { "x-moz": "prefetch" },
        { "x-purpose": "preview" }
      ]) {
        // No success: a browser must not show it in place of the click's answer.
        assert.strictEqual((yield* app.call("GET", path, { headers: headers as never })).status, 503)
      }
      assert.strictEqual((yield* runsOf(world.id)).length, 0)
      assert.strictEqual((yield* app.call("GET", path)).status, 200)
      assert.strictEqual((yield* app.call("HEAD", path)).status, 410)
    })
  )

  it.effect("a link for one click fires once, however many click it at the same time (7.10)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting()
      const path = yield* link(world, { expire_after_first_click: true })
      const pages = yield* Effect.all(
        Array.from({ length: 8 }, () => app.call("GET", path)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(pages.map(({ status }) => status).toSorted(), [
        200,
        ...Array.from({ length: 7 }, () => 410)
      ])
      assert.strictEqual((yield* runsOver(world.id)).length, 1)
    })
  )

  it.effect("unknown, expired, spent, paused, broken and trashed-record links show the same neutral 410 page", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting()
      const pages: Array<string> = []
      const assertGone = Effect.fnUntraced(function* (path: string) {
        const page = yield* app.call("GET", path)
        assert.strictEqual(page.status, 410, `${path}: ${page.text}`)
        pages.push(page.text)
      })
      yield* assertGone("/weblink/trigger/00000000-0000-0000-0000-000000000000")
      yield* assertGone("/weblink/trigger/%00")
      const onceLink = yield* link(world, { expire_after_first_click: true })
      const both = yield* Effect.all([app.call("GET", onceLink), app.call("GET", onceLink)], { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 410])
      const dated = yield* link(world, { expiration_type: "ONE_DAY" })
      yield* sql`UPDATE weblinks SET expires_on = expires_on - interval '1 day 1 second' WHERE expires_on IS NOT NULL`
      yield* assertGone(dated)
      const lasting = yield* link(world, { expiration_type: "NEVER" })
      yield* app.call("POST", `/v1/automation/${world.id}/pause`, { token: world.token })
      yield* assertGone(lasting)
      yield* app.call("POST", `/v1/automation/${world.id}/activate`, { token: world.token })
      yield* sql`UPDATE automations SET broken = true WHERE automation_id = ${world.id}`
      yield* assertGone(lasting)
      yield* sql`UPDATE automations SET broken = false WHERE automation_id = ${world.id}`
      yield* app.call("DELETE", `/v1/record/${world.record}`, { token: world.token })
      yield* assertGone(lasting)
      yield* app.call("DELETE", `/v1/automation/${world.id}`, { token: world.token })
      yield* assertGone(lasting)
      assert.strictEqual(new Set(pages).size, 1)
      assert.strictEqual((yield* runsOver(world.id)).length, 1)
    })
  )

  it.effect("each expiration_type lasts as long as it says", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting()
      for (const [expiration_type, from, to] of [
        ["ONE_DAY", 1, 1],
        ["ONE_WEEK", 7, 7],
        ["ONE_MONTH", 28, 31],
        ["ONE_YEAR", 365, 366]
      ] as const) {
        yield* link(world, { expiration_type })
        const [row] = yield* sql<{ days: number }>`
          SELECT extract(epoch FROM expires_on - created_on)::float8 / 86400 AS days FROM weblinks
          ORDER BY weblink_id DESC LIMIT 1`
        assert.isTrue(row!.days >= from && row!.days <= to, `${expiration_type}: ${row!.days}`)
      }
    })
  )

  it.effect("more than 30 clicks a minute on one link are a 429 and fire nothing; another link goes on", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting()
      const path = yield* link(world)
      yield* sql`UPDATE weblinks SET window_on = now(), window_count = 28`
      const pages = yield* Effect.all(
        Array.from({ length: 5 }, () => app.call("GET", path)),
        { concurrency: 5 }
      )
      assert.deepStrictEqual(pages.map(({ status }) => status).sort(), [200, 200, 429, 429, 429])
      assert.isAtLeast(Number(pages.find(({ status }) => status === 429)!.headers.get("retry-after")), 1)
      assert.strictEqual((yield* app.call("GET", yield* link(world))).status, 200)
      assert.strictEqual((yield* runsOver(world.id, 3)).length, 3)
    })
  )

  it.effect("a redirect is a 303 as soon as it is known, the run goes on; only http and https (7.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const redirect = { type: "redirect_user", config: { redirect_url: ["https://example.com/thanks?a=1"] } }
      const page = { type: "display_webpage", config: { webpage_body: ["<p>hidden</p>"] } }
      const world = yield* setting([
        page,
        redirect,
        delay(3_600_000),
        { type: "exit", config: { exit_type: "success" } }
      ])
      const clicked = yield* app.call("GET", yield* link(world))
      assert.strictEqual(clicked.status, 303, clicked.text)
      assert.strictEqual(clicked.headers.get("location"), "https://example.com/thanks?a=1")
      yield* eventually("it waits", runsOf(world.id), ([run]) => run?.wait_until != null)
      yield* endDelays(world.id)
      assert.strictEqual((yield* runsOver(world.id))[0]!.status, "completed")
      const script = yield* setting([{ type: "redirect_user", config: { redirect_url: ["javascript:alert(1)"] } }])
      const refusal = yield* app.call("GET", yield* link(script))
      assert.notStrictEqual(refusal.status, 303)
    })
  )

  it.effect(
    "pages are composed in the order of their join, sandboxed and without scripts, branded unless told otherwise",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const page = (webpage_body: string, more: object = {}) => ({
          type: "display_webpage",
          config: { webpage_body: [webpage_body], ...more }
        })
        const world = yield* setting([
          page("<p>two</p><script>alert(1)</script>"),
          page("<p>three</p>"),
          page("<p>one</p>", { join_type: "add_above" })
        ])
        const pageAnswer = yield* app.call("GET", yield* link(world))
        assert.strictEqual(pageAnswer.status, 200)
        assert.isTrue(
          pageAnswer.text.includes("<p>one</p><p>two</p><script>alert(1)</script><p>three</p>"),
          pageAnswer.text
        )
        const policy = pageAnswer.headers.get("content-security-policy")!
        assert.match(policy, /^sandbox /)
        assert.notMatch(policy, /allow-scripts|allow-same-origin|script-src/)
        assert.match(policy, /default-src 'none'/)
        assert.match(pageAnswer.text, /<footer>/)
        const bare = yield* setting([
          page("<p>gone</p>"),
          page("<p>bare</p>", { join_type: "replace_previous", remove_branding: true, fullscreen: true })
        ])
        const full = yield* app.call("GET", yield* link(bare))
        assert.notMatch(full.text, /<footer>|gone/)
        assert.match(full.text, /<main class="full"><p>bare<\/p><\/main>/)
      })
  )

  it.effect("triggering_app_ids and a filter that does not match make no run: Done; a failed run says so", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting()
      const other = yield* makeApp(world.token, world.workspaceId, [
        { field_type: "single_text", config: { label: "Name" } }
      ])
      const triggerUpdate = yield* app.call("PUT", `/v1/automation/${world.id}/trigger`, {
        token: world.token,
        body: {
          type: "weblink_clicked",
          config: { triggering_app_ids: [other.appId], triggering_app_ids_enabled: true }
        }
      })
      assert.strictEqual(triggerUpdate.status, 200, triggerUpdate.text)
      const page = yield* app.call("GET", yield* link(world))
      assert.strictEqual(page.status, 200)
      assert.match(page.text, /Done/)
      assert.strictEqual((yield* runsOf(world.id)).length, 0)
      const failing = yield* setting([{ type: "exit", config: { exit_type: "failure" } }])
      assert.strictEqual((yield* app.call("GET", yield* link(failing))).status, 500)
    })
  )

  it.effect("is_simulation and is_manual_run give that type of run, paused or not (7.3)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting()
      yield* app.call("POST", `/v1/automation/${world.id}/pause`, { token: world.token })
      yield* app.call("GET", yield* link(world, { is_simulation: true }))
      assert.strictEqual(yield* textOf(world.record, world.ref), null)
      yield* app.call("GET", yield* link(world, { is_manual_run: true }))
      const runs = yield* runsOver(world.id, 2)
      assert.deepStrictEqual(
        runs.map(({ type }) => type),
        ["simulation", "manual"]
      )
    })
  )
})

layer(
  spineLayer({ WEBLINK_BASE_URL: "https://links.example.com/go/", WEBLINK_SCRIPTS: "true", WEBLINK_WAIT_SECONDS: "1" }),
  {
    excludeTestServices: true
  }
)("weblinks on an origin of their own (7.10)", (it) => {
  it.effect("WEBLINK_BASE_URL gives the address, WEBLINK_SCRIPTS allows scripts inside of the sandbox", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* setting([{ type: "display_webpage", config: { webpage_body: ["<p>hi</p>"] } }])
      const creation = yield* generate(world)
      assert.strictEqual(
        creation.json.trigger_client_url,
        `https://links.example.com/go/trigger/${creation.json.trigger_token}`
      )
      const path = `/go/trigger/${creation.json.trigger_token}`
      yield* app.call("GET", path)
      const page = yield* eventually("the page", app.call("GET", path), ({ text }) => text.includes("<p>hi</p>"))
      assert.strictEqual(page.status, 200)
      const policy = page.headers.get("content-security-policy")!
      assert.match(policy, /sandbox[^;]* allow-scripts/)
      assert.notMatch(policy, /allow-same-origin/)
    })
  )

  it.effect("links over for 30 days go, those of deleted automations and destroyed records at once, others stay", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting()
      const deleted = yield* setting()
      const destroyed = yield* createRecord(world.token, world.appId, world.state)
      const trashed = yield* createRecord(world.token, world.appId, world.state)
      const days = (n: number) => new Date(Date.now() - n * 86_400_000)
      const createLink = Effect.fnUntraced(function* (
        target: Parameters<typeof generate>[0],
        change: Record<string, unknown> = {},
        more?: object
      ) {
        const { json } = yield* generate(target, more)
        const [row] = yield* sql<{
          id: number
        }>`SELECT weblink_id AS id FROM weblinks ORDER BY weblink_id DESC LIMIT 1`
        const { id } = row!
        if (Object.keys(change).length > 0) {
          yield* sql`UPDATE weblinks SET ${sql.update(change)} WHERE weblink_id = ${id}`
        }
        return { id, path: new URL(json.trigger_client_url).pathname }
      })
      const onceOptions = { expire_after_first_click: true }
      const kept = [
        yield* createLink(world),
        yield* createLink(world, { expires_on: days(29) }),
        yield* createLink(world, { clicks: 1, window_on: days(29) }, onceOptions),
        // Clicked long ago, and may be clicked again.
        yield* createLink(world, { clicks: 1, window_on: days(90) }),
        yield* createLink({ ...world, record: trashed })
      ]
      const lapsedLinks = [
        yield* createLink(world, { expires_on: days(31) }),
        yield* createLink(world, { clicks: 1, window_on: days(31) }, onceOptions),
        yield* createLink({ ...world, record: destroyed }),
        yield* createLink(deleted)
      ]
      const { token } = world
      yield* app.call("DELETE", `/v1/record/${destroyed}?skip_trash=true`, { token })
      yield* app.call("DELETE", `/v1/record/${trashed}`, { token })
      yield* app.call("DELETE", `/v1/automation/${deleted.id}`, { token: deleted.token })
      assert.isAtLeast((yield* pruneWeblinks).weblinks, lapsedLinks.length)
      assert.deepStrictEqual(yield* pruneWeblinks, { weblinks: 0 })
      const ids = [...kept, ...lapsedLinks].map(({ id }) => id)
      const rows = yield* sql<{ id: number }>`SELECT weblink_id AS id FROM weblinks
        WHERE weblink_id = ANY(${ids.map(String)}::text[]::bigint[]) ORDER BY weblink_id`
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        kept.map(({ id }) => id)
      )
      assert.strictEqual((yield* app.call("GET", lapsedLinks[0]!.path)).status, 410)
      assert.strictEqual((yield* app.call("GET", kept[3]!.path)).status, 200)
    })
  )

  it.effect("a longer run shows a page that polls without a script, and then what came of it", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const world = yield* setting([
        delay(3_600_000),
        { type: "display_webpage", config: { webpage_body: ["<p>late</p>"] } }
      ])
      const path = yield* link(world)
      const waitingPage = yield* app.call("GET", path)
      assert.strictEqual(waitingPage.status, 200)
      const [, next] = /http-equiv="refresh" content="2;url=([^"]+)"/.exec(waitingPage.text) ?? []
      assert.isDefined(next, waitingPage.text)
      // A sandboxed document would not refresh itself.
      assert.notMatch(waitingPage.headers.get("content-security-policy")!, /sandbox/)
      assert.notMatch(waitingPage.text, /<script/)
      const poll = new URL(next!, `${BASE}${path}`).pathname
      const polledPage = yield* app.call("GET", poll)
      assert.match(polledPage.text, /http-equiv="refresh" content="2"/)
      // For as long as the run goes on, however long that is.
      yield* sql`UPDATE run_waits SET created_on = ${new Date(Date.now() - 7_200_000)}
        WHERE run_id = (SELECT max(run_id) FROM runs WHERE automation_id = ${world.id})`
      yield* (yield* Reconcile).run(false)
      yield* endDelays(world.id)
      const resultPage = yield* eventually("the page", app.call("GET", poll), ({ text }) =>
        text.includes("<p>late</p>")
      )
      assert.strictEqual(resultPage.status, 200)
      assert.strictEqual((yield* runsOf(world.id)).length, 1, "looking fires nothing")
      // Neither the token nor the click alone shows anything.
      const [token, click] = poll.split("/").slice(-2)
      assert.strictEqual((yield* app.call("GET", `/weblink/trigger/other/${click}`)).status, 410)
      assert.strictEqual((yield* app.call("GET", `/weblink/trigger/${token}/other`)).status, 410)
    })
  )
})
