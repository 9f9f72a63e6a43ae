// developer-api.md 11.1: GET /v1/search.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Scope } from "../../../src/domain/accounts/Scope.ts"
import { appLayer, type Person, seedToken, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

type By = ReturnType<typeof as>

const page = (by: By, q: string, more = "") =>
  Effect.map(by("GET", `/v1/search?q=${encodeURIComponent(q)}${more}`), ({ json, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(json))
    return json as { readonly results: ReadonlyArray<any>; readonly cursor: string | null }
  })
const find = (by: By, q: string, more = "") => Effect.map(page(by, q, more), ({ results }) => results)
const named = (by: By, q: string, more = "") =>
  Effect.map(find(by, q, more), (results) => results.map(({ kind, title }) => `${kind} ${title}`))

const refused = (by: By, query: string) =>
  Effect.map(by("GET", `/v1/search?${query}`), ({ json, status }) => [status, json.error_message] as const)

const harbor = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const by = as(owner)
  const app = yield* createApp(owner, workspaceId, [field("single_text", "Title"), field("multi_text", "Notes")])
  const add = (title: string, more: object = {}) =>
    Effect.map(by("POST", `/v1/record/app/${app.app_id}`, { fields: { title, ...more } }), ({ json }) => {
      assert.isNumber(json.record_id, JSON.stringify(json))
      return json.record_id as number
    })
  return { add, app, by, orgId, owner, workspaceId }
})

const reads = (person: Person, ...scopes: ReadonlyArray<Scope>) =>
  Effect.map(seedToken(person.userId, scopes), (key) => as({ key }))

layer(appLayer(), { excludeTestServices: true })("GET /v1/search", (it) => {
  it.effect("a record is found by the beginnings of its words, without case and accents, with a snippet", () =>
    Effect.gen(function* () {
      const { add, app, by } = yield* harbor
      const record_id = yield* add("Crème brûlée", { notes: "<p>Two spoons &amp; a <b>torch</b></p>" })
      const [result, ...others] = yield* find(by, "BRUL creme tor")
      assert.deepStrictEqual(others, [])
      const { score, ...rest } = result
      assert.isAbove(score, 0)
      assert.deepStrictEqual(rest, {
        kind: "record",
        id: record_id,
        app_id: app.app_id,
        title: "Crème brûlée",
        field_id: app.fields[0].field_id,
        snippet: "Crème brûlée"
      })
      assert.deepStrictEqual(yield* find(by, "brul zebra"), [])
      yield* add("Pier", { notes: "<p><b>Har</b>bour<br>mas<i>ter</i></p>" })
      assert.deepStrictEqual(yield* named(by, '"harbour master"'), ["record Pier"])
      assert.strictEqual((yield* find(by, "ＨＡＲＢＯＵＲ"))[0].snippet, "Harbour master")
      const [byNote] = yield* find(by, '"spoons a torch"')
      assert.strictEqual(byNote.snippet, "Two spoons & a torch")
      assert.strictEqual(byNote.field_id, app.fields[1].field_id)
    })
  )

  it.effect(
    "a phrase in quotes keeps its order and its whole words; no phrase reaches from one text into the next",
    () =>
      Effect.gen(function* () {
        const { add, by } = yield* harbor
        yield* add("DLV-0014 north pier", { notes: "<p>gate seven</p>" })
        for (const q of ['"north pier"', "dlv-0014", "DLV-00", '"north pi', "0014", "pier gate"])
          assert.deepStrictEqual(yield* named(by, q), ["record DLV-0014 north pier"], q)
        for (const q of ['"pier north"', '"north pi"', "0014-dlv", '"pier gate"', '"pier dlv"'])
          assert.deepStrictEqual(yield* named(by, q), [], q)
      })
  )

  it.effect("texts of every kind are found; numbers, dates and options only where they are the title", () =>
    Effect.gen(function* () {
      const { by, owner, workspaceId } = yield* harbor
      const options = { options: [{ text: "Urgentissimo" }] }
      const app = yield* createApp(
        owner,
        workspaceId,
        [
          field("single_text", "Title"),
          field("multi_email", "Mail"),
          field("multi_phone", "Phone"),
          field("multi_link", "Link"),
          field("single_location", "Place"),
          field("checklist", "Tasks"),
          field("number", "Weight"),
          field("single_category", "State", options)
        ],
        "Crates"
      )
      const { json } = yield* by("POST", `/v1/record/app/${app.app_id}`, {
        fields: {
          title: "One",
          mail: "mira@lighthouse.example",
          phone: "+43 664 123 4567",
          link: "https://quay.example/plan",
          place: "Harbour Street 7",
          tasks: [{ title: "Grease the winch", description: "<p>with <b>tallow</b></p>" }],
          weight: 774411,
          state: "Urgentissimo"
        }
      })
      assert.isNumber(json.record_id, JSON.stringify(json))
      for (const q of [
        "lighthouse",
        "mira@lighthouse.example",
        "43664123",
        "436641234567",
        "quay",
        "harbour 7",
        "winch",
        "tallow"
      ])
        assert.deepStrictEqual(yield* named(by, q, `&app_id=${app.app_id}`), ["record One"], q)
      for (const q of ["774411", "urgentissimo"]) assert.deepStrictEqual(yield* named(by, q, "&kinds=record"), [], q)
    })
  )

  it.effect(
    "a change is found by the next request: edits, the trash, restored and deleted records, fields and apps",
    () =>
      Effect.gen(function* () {
        const { add, app, by } = yield* harbor
        const id = yield* add("Anchor", { notes: "<p>rusty</p>" })
        const untitled = (yield* by("POST", `/v1/record/app/${app.app_id}`, { fields: { notes: "<p>nameless</p>" } }))
          .json
        assert.deepStrictEqual(yield* named(by, "nameless"), [`record ${untitled.title}`])
        assert.deepStrictEqual(yield* named(by, `nameless ${untitled.app_record_id}`), [`record ${untitled.title}`])
        yield* by("POST", `/v1/comment/record/${id}`, { value: "Sandblasted by @[Mira](user:1)" })
        yield* by("PUT", `/v1/record/${id}`, { fields: { title: "Kedge" } })
        assert.deepStrictEqual(yield* named(by, "anchor"), [])
        assert.deepStrictEqual(yield* named(by, "kedge rusty"), ["record Kedge"])
        assert.deepStrictEqual(yield* named(by, "sandblasted mira"), ["comment Kedge"])
        yield* by("DELETE", `/v1/record/${id}`)
        assert.deepStrictEqual(yield* named(by, "kedge"), [])
        assert.deepStrictEqual(yield* named(by, "sandblasted"), [])
        yield* by("POST", `/v1/record/${id}/restore`)
        assert.deepStrictEqual(yield* named(by, "kedge"), ["record Kedge"])
        assert.deepStrictEqual(yield* named(by, "sandblasted"), ["comment Kedge"])
        yield* by("PUT", `/v1/app/${app.app_id}`, { fields_to_delete: [{ field_id: app.fields[1].field_id }] })
        assert.deepStrictEqual(yield* named(by, "rusty"), [])
        yield* by("DELETE", `/v1/app/${app.app_id}`)
        for (const q of ["kedge", "sandblasted", "deliveries"]) assert.deepStrictEqual(yield* named(by, q), [], q)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT kind, id FROM search_entries WHERE app_id = ${app.app_id}`, [])
      })
  )

  it.effect(
    "comments, replies, automations and apps are found as what they are, until they are changed or deleted",
    () =>
      Effect.gen(function* () {
        const { add, app, by } = yield* harbor
        const record_id = yield* add("Buoy")
        const { comment_id } = (yield* by("POST", `/v1/comment/record/${record_id}`, { value: "Painted vermilion" }))
          .json
        const { reply_id } = (yield* by("POST", `/v1/comment/${comment_id}/reply`, { value: "Not ultramarine?" })).json
        const { automation } = (yield* by("POST", `/v1/automation/app/${app.app_id}`, {
          name: "Ring the bell",
          description: "At foghorn",
          trigger: { type: "record_created", config: {} },
          actions: []
        })).json
        const [comment] = yield* find(by, "vermilion")
        assert.deepStrictEqual(
          [comment.kind, comment.id, comment.record_id, comment.title, comment.snippet],
          ["comment", comment_id, record_id, "Buoy", "Painted vermilion"]
        )
        const [reply] = yield* find(by, "ultramarine")
        assert.deepStrictEqual([reply.kind, reply.id, reply.reply_id], ["comment", comment_id, reply_id])
        const [bell] = yield* find(by, "foghorn")
        assert.deepStrictEqual(
          [bell.kind, bell.id, bell.title, bell.snippet],
          ["automation", automation.id, "Ring the bell", "At foghorn"]
        )
        assert.deepStrictEqual(yield* named(by, "deliveries"), ["app Deliveries"])
        assert.deepStrictEqual(yield* named(by, "vermilion", "&kinds=record,automation"), [])
        yield* by("PUT", `/v1/reply/${reply_id}`, { value: "Not ochre?" })
        assert.deepStrictEqual(yield* named(by, "ultramarine"), [])
        assert.deepStrictEqual(yield* named(by, "ochre"), ["comment Buoy"])
        yield* by("DELETE", `/v1/comment/${comment_id}`)
        for (const q of ["ochre", "vermilion"]) assert.deepStrictEqual(yield* named(by, q), [], q)
        yield* by("DELETE", `/v1/automation/${automation.id}`)
        assert.deepStrictEqual(yield* named(by, "foghorn"), [])
      })
  )

  it.effect("only what the caller may see, of the kinds that the scopes reach", () =>
    Effect.gen(function* () {
      const { add, app, by, orgId, owner } = yield* harbor
      const sql = yield* SqlClient.SqlClient
      const record_id = yield* add("Sextant")
      yield* by("POST", `/v1/comment/record/${record_id}`, { value: "sextant calibrated" })
      yield* by("POST", `/v1/automation/app/${app.app_id}`, {
        name: "Sextant check",
        trigger: { type: "record_created", config: {} },
        actions: []
      })
      const kindsOf = (of: By) =>
        Effect.map(find(of, "sextant"), (results) => results.map(({ kind }) => kind).toSorted())
      assert.deepStrictEqual(yield* kindsOf(by), ["automation", "comment", "record"])
      const member = yield* seedUser(orgId, "member")
      assert.deepStrictEqual(yield* kindsOf(as(member)), ["comment", "record"])
      const guest = yield* seedUser(orgId, "guest")
      assert.deepStrictEqual(yield* kindsOf(as(guest)), [])
      const { owner: foreign } = yield* seedWorkspace
      assert.deepStrictEqual(yield* kindsOf(as(foreign)), [])
      const comments = yield* reads(owner, "records.comments:read")
      const [comment, ...others] = yield* find(comments, "sextant")
      assert.deepStrictEqual(others, [])
      assert.strictEqual(comment.title, `${app.record_name} #1`)
      assert.deepStrictEqual(yield* kindsOf(yield* reads(owner, "automations:read")), ["automation"])
      assert.deepStrictEqual(yield* kindsOf(yield* reads(owner, "workspaces:read")), [])
      yield* sql`UPDATE workspaces SET type = 'private' WHERE org_id = ${orgId}`
      assert.deepStrictEqual(yield* kindsOf(by), [])
    })
  )

  it.effect("app_id and workspace_id narrow; what is not there narrows to nothing", () =>
    Effect.gen(function* () {
      const { add, app, by, workspaceId } = yield* harbor
      yield* add("Halyard")
      for (const [more, count] of [
        [`&app_id=${app.app_id}`, 1],
        [`&workspace_id=${workspaceId}`, 1],
        [`&app_id=${app.app_id}&workspace_id=${workspaceId + 1}`, 0],
        ["&app_id=999999999", 0]
      ] as const)
        assert.strictEqual((yield* find(by, "halyard", more)).length, count, more)
    })
  )

  it.effect("pages hold each result once, best first, newer ones before older ones that are as good", () =>
    Effect.gen(function* () {
      const { add, by } = yield* harbor
      const ids: Array<number> = []
      for (let n = 0; n < 7; n++) ids.push(yield* add(`Mast ${n}`))
      const inNotes = yield* add("Other", { notes: "<p>mast</p>" })
      const seen: Array<any> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const next: any = yield* page(by, "mast", `&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
        assert.isAtMost(next.results.length, 3)
        seen.push(...next.results)
        cursor = next.cursor
        if (cursor !== null) assert.strictEqual((yield* refused(by, `q=sail&cursor=${cursor}`))[0], 400)
      }
      assert.deepStrictEqual(
        seen.map(({ id }) => id),
        [...ids.toReversed(), inNotes]
      )
    })
  )

  it.effect("whatever is typed is a text: operators and wildcards mean nothing, and it is bounded", () =>
    Effect.gen(function* () {
      const { add, by } = yield* harbor
      yield* add("Rope % ladder")
      for (const q of ["!", "%", "' | '", "\\", '"', '""', "&&", ":*", "<->", "…", "\u0001"])
        assert.deepStrictEqual(yield* find(by, q), [], JSON.stringify(q))
      for (const q of ["rope & !zebra | ladder", "rope:*", "'rope'", "(rope", "ro%e"])
        assert.isAtMost((yield* find(by, q)).length, 1, q)
      assert.deepStrictEqual(yield* named(by, "rope:ladder <-> %"), ["record Rope % ladder"])
      assert.deepStrictEqual(yield* named(by, "ladder:rope"), [])
      assert.deepStrictEqual(yield* named(by, "rope | ladder"), ["record Rope % ladder"])
      assert.deepStrictEqual(yield* refused(by, `q=${"a+".repeat(61)}`), [
        400,
        "q: has 61 words; a search takes 60 at most."
      ])
      assert.strictEqual((yield* refused(by, `q=${"a".repeat(201)}`))[0], 400)
      assert.strictEqual((yield* refused(by, "q="))[0], 400)
      assert.strictEqual((yield* refused(by, "q=a&limit=51"))[0], 400)
      assert.deepStrictEqual(yield* refused(by, "q=a&kinds=record,hook"), [
        400,
        'kinds: "hook" is none of record, comment, automation, app.'
      ])
    })
  )

  it.effect("a whole word comes before beginnings of words, also where it is older than a thousand of these", () =>
    Effect.gen(function* () {
      const { add, app, by } = yield* harbor
      yield* add("DLV-1")
      for (let from = 100; from < 2_300; from += 50) {
        const inputs = Array.from({ length: 50 }, (_, n) => ({ fields: { title: `DLV-1${from + n}` } }))
        const { status } = yield* by("POST", `/v1/record/app/batch/${app.app_id}`, { inputs })
        assert.strictEqual(status, 200)
      }
      const [first] = yield* find(by, "DLV-1")
      assert.strictEqual(first.title, "DLV-1")
    })
  )

  it.effect("a snippet is looked for in the first thousand words of a result", () =>
    Effect.gen(function* () {
      const { add, by } = yield* harbor
      yield* add("Far", { notes: `<p>${"w ".repeat(990)}near ${"w ".repeat(2_000)}beyond</p>` })
      assert.include((yield* find(by, "near"))[0].snippet, "near")
      const [beyond] = yield* find(by, "beyond")
      assert.deepStrictEqual([beyond.title, beyond.snippet], ["Far", ""])
    })
  )

  it.effect("the largest texts are indexed up to a bound, and do not fail the write", () =>
    Effect.gen(function* () {
      const { add, by } = yield* harbor
      const words = Array.from({ length: 4_000 }, (_, n) => `w${n}${"x".repeat(30)}`).join(" ")
      yield* add("Ledger", { notes: `<p>${words}</p>` })
      for (const q of ["w17x", "w3999x"]) assert.deepStrictEqual(yield* named(by, q), ["record Ledger"], q)
      yield* add("Wide", { notes: `<p>${"漢字".repeat(30_000)}終</p>` })
      for (const q of ["字漢", "字終"]) assert.deepStrictEqual(yield* named(by, q), ["record Wide"], q)
      const letters = Array.from({ length: 70_000 }, (_, n) => String.fromCodePoint(0x20000 + (n % 42_000))).join("")
      yield* add("Dictionary", { notes: `<p>${letters}</p>` })
      assert.include(yield* named(by, letters.slice(0, 20)), "record Dictionary")
    })
  )
})
