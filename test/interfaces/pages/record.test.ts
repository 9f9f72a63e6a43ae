// developer-api.md 4.1: `record_url` shows a person who may see the record its title, fields and comments, read-only.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { signedIn } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { browser } from "./support.ts"

const scene = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Reference"),
    field("number", "Weight", { decimals: 1, unit: "kg", unit_location: "suffix" }),
    field("multi_text", "Notes"),
    field("single_date", "Day"),
    field("multi_link", "Links"),
    field("single_text", "Berth"),
    field("created_at", "Made"),
    field("created_by", "Maker"),
    field("single_text", "Quiet", undefined, { hidden_if_empty: true }),
    field("single_text", "Secret", undefined, { always_hidden: true })
  ])
  const call = as(owner)
  const createReply = yield* call("POST", `/v1/record/app/${app.app_id}`, {
    fields: {
      reference: 'Timber <script>alert(1)</script> "4"',
      weight: 12,
      notes: "<p>Ask <b>twice</b></p><script>alert(1)</script>",
      day: "2026-12-03",
      links: ["https://harbor.example/x"],
      secret: "not for pages"
    }
  })
  return { orgId, owner, workspaceId, app, call, id: createReply.json.record_id as number }
})

layer(appLayer(), { excludeTestServices: true })("4.1: the record page", (it) => {
  it.effect(
    "4.1: title, fields as people read them, comments and replies, escaped, without a way to change anything",
    () =>
      Effect.gen(function* () {
        const { owner, call, id } = yield* scene
        const comment = yield* call("POST", `/v1/comment/record/${id}`, {
          value: `@[Owner](user:${owner.userId}) see <i>this</i>`
        })
        yield* call("POST", `/v1/comment/${comment.json.comment_id}/reply`, { value: "Seen." })
        const page = yield* browser(yield* signedIn(owner.personId)).get(`/record/${id}`)
        assert.strictEqual(page.status, 200)
        assert.include(page.text, "<h1><bdi>Timber &lt;script&gt;alert(1)&lt;/script&gt; &quot;4&quot;</bdi></h1>")
        assert.notInclude(page.text, "<script")
        assert.include(page.text, "12.0 kg")
        assert.include(page.text, "<p>Ask <b>twice</b></p>")
        assert.include(page.text, '<time datetime="2026-12-03">')
        assert.include(page.text, 'href="https://harbor.example/x"')
        assert.include(page.text, "<dt>Berth</dt>")
        assert.match(page.text, /<dt>Made<\/dt><dd><time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z"/)
        const { json: maker } = yield* call("GET", "/v1/user")
        assert.include(page.text, `<dt>Maker</dt><dd><bdi>${maker.name}</bdi></dd>`)
        assert.notInclude(page.text, "<dt>Quiet</dt>")
        assert.notInclude(page.text, "not for pages")
        assert.include(page.text, "@Owner see &lt;i&gt;this&lt;/i&gt;")
        assert.include(page.text, "Seen.")
        const forms = [...page.text.matchAll(/<form [^>]*action="([^"]*)"/g)].map(([, action]) => action)
        assert.deepStrictEqual(forms, ["/sign-out"])
      })
  )

  it.effect("4.1: who is not signed in signs in first and comes back", () =>
    Effect.gen(function* () {
      const { id } = yield* scene
      const redirect = yield* browser().get(`/record/${id}`)
      assert.strictEqual(redirect.headers.get("location"), `/sign-in?next=${encodeURIComponent(`/record/${id}`)}`)
    })
  )

  it.effect("1.2, 2.3: who may not see it gets the same page as for a record that does not exist", () =>
    Effect.gen(function* () {
      const { orgId, owner, workspaceId, id } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const stranger = yield* seedOrganization()
      const guest = yield* seedUser(orgId, "guest")
      const member = yield* seedUser(orgId, "member")
      const getAs = (personId: number, path: string) =>
        Effect.flatMap(signedIn(personId), (cookie) => browser(cookie).get(path))
      assert.strictEqual((yield* getAs(member.personId, `/record/${id}`)).status, 200)
      yield* sql`UPDATE workspaces SET type = 'closed' WHERE workspace_id = ${workspaceId}`
      for (const person of [stranger.owner, guest, member]) {
        const page = yield* getAs(person.personId, `/record/${id}`)
        assert.strictEqual(page.status, 404)
        assert.include(page.text, "No such record")
        assert.notInclude(page.text, "Timber")
      }
      for (const path of ["/record/999999999", "/record/0", "/record/x", "/record/99999999999999999999"])
        assert.strictEqual((yield* getAs(owner.personId, path)).status, 404, path)
    })
  )

  it.effect("O12: in several organizations the user of the record's organization counts, whatever was chosen", () =>
    Effect.gen(function* () {
      const { orgId, id } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const home = yield* seedOrganization("Home")
      yield* sql`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${orgId}, ${home.owner.personId}, 'Same', 'member', 'active', now())`
      const b = browser(yield* signedIn(home.owner.personId))
      yield* b.submit("/organization", { user_id: String(home.owner.userId) })
      assert.strictEqual((yield* b.get(`/record/${id}`)).status, 200)
    })
  )

  it.effect("4.2: a record in the trash is said to be there; one comment page leads to the next", () =>
    Effect.gen(function* () {
      const { owner, call, id } = yield* scene
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO comments (record_id, app_id, value, created_on, created_by)
        SELECT record_id, app_id, 'Number ' || n, now(), created_by FROM records, generate_series(1, 51) n WHERE record_id = ${id}`
      const b = browser(yield* signedIn(owner.personId))
      const firstPage = yield* b.get(`/record/${id}`)
      assert.notInclude(firstPage.text, "Number 51")
      const later = /href="(\/record\/\d+\?comments=[^"#]+)#comments"/.exec(firstPage.text)![1]!
      assert.include((yield* b.get(later)).text, "Number 51")
      assert.include((yield* b.get(`/record/${id}?comments=altered`)).text, "Number 1<")
      yield* call("DELETE", `/v1/record/${id}`)
      const trashPage = yield* b.get(`/record/${id}`)
      assert.strictEqual(trashPage.status, 404)
      assert.include(trashPage.text, "In the trash")
    })
  )
})
