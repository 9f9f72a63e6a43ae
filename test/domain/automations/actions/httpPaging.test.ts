// developer-api.md 7.6; decisions: paging of HTTP steps. Pages of real servers on loopback are followed, joined and bounded; credentials stay
// with the first origin, and a cancelled run asks for no further page.
import { assert, describe, layer, it as unit } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { StepHttpRequest } from "../../../../src/domain/automations/actions/shared/httpSend.ts"
import { itemsOf, nextPage, pageRequest, valueAt } from "../../../../src/domain/automations/actions/shared/nextPage.ts"
import { StepFailed } from "../../../../src/domain/automations/model/StepFailed.ts"
import { AuthenticationProviders } from "../../../../src/platform/mail/AuthenticationProviders.ts"
import { App } from "../../../support/app.ts"
import { type Answer, answers } from "../../../support/receiver.ts"
import { eventually } from "../../../support/spine.ts"
import { runsOver } from "../runSupport.ts"
import { HttpSide, http, httpWorld, nowhere, secret, setting, traces } from "./httpSupport.ts"
import { completed, runSteps } from "./support.ts"

const json = (value: unknown, headers: Record<string, string> = {}): Answer =>
  answers.status(200, { "content-type": "application/json", ...headers }, JSON.stringify(value))
const paged = (url: string, http_call_paging: object, more: object = {}) => http(url, { http_call_paging, ...more })

layer(httpWorld, { excludeTestServices: true })("pages of HTTP steps", (it) => {
  it.effect("Link headers, addresses and cursors are followed to the end, and their items joined (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({})
      const { origin } = receiver
      const read = Effect.fnUntraced(function* (path: string, paging: object, more: object = {}) {
        const run = yield* runSteps(world, recordId, [paged(origin + path, paging, more)])
        completed(run)
        return run.variables["answer"]
      })
      receiver.on("/list", json([1, 2], { link: `<${origin}/list?page=2>; rel="next", </list?page=3>; rel="last"` }))
      receiver.on("/list?page=2", json([3], { link: '</list?page=3>; rel="next"' }))
      receiver.on("/list?page=3", json([], { link: '</list>; rel="first"' }))
      const links = yield* read("/list", { type: "link_header" })
      assert.deepInclude(links, { status: 200, data: [1, 2, 3], pages: 3, complete: true })

      receiver.on("/graph/users", json({ value: [{ id: 1 }], "@odata.nextLink": "users?skip=1" }))
      receiver.on("/graph/users?skip=1", json({ value: [{ id: 2 }], "@odata.nextLink": null }))
      const graph = { type: "next_url", next_path: ["@odata.nextLink"], items_path: ["value"] }
      assert.deepInclude(yield* read("/graph/users", graph), { data: [{ id: 1 }, { id: 2 }], pages: 2, complete: true })

      receiver.on("/charges?limit=2&q=a%20b", json({ data: [{ id: "c1" }, { id: "c/2" }] }))
      receiver.on("/charges?limit=2&q=a%20b&starting_after=c%2F2", json({ data: [{ id: "c3" }] }))
      receiver.on("/charges?limit=2&q=a%20b&starting_after=c3", json({ data: [] }))
      const charges = { type: "cursor", next_path: ["data", -1, "id"], cursor_parameter: "starting_after" }
      const joined = yield* read("/charges?limit=2&q=a%20b", { ...charges, items_path: ["data"] })
      assert.deepInclude(joined, { data: [{ id: "c1" }, { id: "c/2" }, { id: "c3" }], pages: 3, complete: true })

      receiver.on("/query", ({ body }, response) =>
        json(body.includes('"start"') ? { rows: ["b"], next: "" } : { rows: ["a"], next: 7 })(
          undefined as never,
          response
        )
      )
      const inBody = { type: "cursor", next_path: ["next"], cursor_in: "body", cursor_parameter: "start" }
      const post = { http_call_type: "post", http_call_body: ['{"size":12345678901234567890}'] }
      const rows = yield* read("/query", { ...inBody, items_path: ["rows"] }, post)
      assert.deepInclude(rows, { data: ["a", "b"], pages: 2 })
      const requests = receiver.of("/query")
      assert.deepStrictEqual(
        requests.map(({ body }) => body),
        ['{"size":12345678901234567890}', '{"size":12345678901234567890,"start":7}']
      )
      assert.strictEqual(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size, 2)
    })
  )

  it.effect("the bound and a page that comes again end it with what is there, and the log says so (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({})
      const { origin } = receiver
      for (let page = 1; page <= 5; page++)
        receiver.on(`/many?page=${page}`, json([page], { link: `</many?page=${page + 1}>; rel=next` }))
      const bounded = yield* runSteps(world, recordId, [
        paged(`${origin}/many?page=1`, { type: "link_header", pages_at_most: 3 })
      ])
      completed(bounded)
      assert.deepInclude(bounded.variables["answer"], { data: [1, 2, 3], pages: 3, complete: false })
      assert.include(JSON.stringify(bounded.logs), "There are more than 3 pages; the rest is left out.")
      assert.lengthOf(receiver.of("/many?page=4"), 0)
      receiver.on("/round", json([1], { link: "</round?again>; rel=next" }))
      receiver.on("/round?again", json([2], { link: "</round?again>; rel=next" }))
      const round = yield* runSteps(world, recordId, [paged(`${origin}/round`, { type: "link_header" })])
      completed(round)
      assert.deepInclude(round.variables["answer"], { data: [1, 2], pages: 2, complete: false })
    })
  )

  it.effect("a page that names itself as its next is asked for once, and its items are there once (7.6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({})
      receiver.on("/one", json({ rows: [1], next: "/one" }, { link: "</one>; rel=next" }))
      receiver.on("/one?after=a", json({ rows: [1], next: "a" }))
      const cursor = { type: "cursor", next_path: ["next"], cursor_parameter: "after" }
      for (const [path, paging] of [
        ["/one", { type: "link_header" }],
        ["/one", { type: "next_url", next_path: ["next"] }],
        ["/one?after=a", cursor]
      ] as const) {
        const countBefore = receiver.of(path).length
        const run = yield* runSteps(world, recordId, [
          paged(receiver.origin + path, { ...paging, items_path: ["rows"] })
        ])
        completed(run)
        assert.deepInclude(run.variables["answer"], { data: [1], pages: 1, complete: false })
        assert.include(JSON.stringify(run.logs), "Page 1 names a page as its next that was asked for before")
        assert.strictEqual(receiver.of(path).length, countBefore + 1)
      }
    })
  )

  it.effect("a failing page, one without a list, too many bytes fail the step (7.6, P7)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({})
      const { origin } = receiver
      const call = (path: string, more: object = {}) =>
        runSteps(world, recordId, [
          { ...paged(origin + path, { type: "link_header", ...more }), continue_on_error: true }
        ])
      const messageOf = (run: { readonly steps: ReadonlyArray<any> }) => run.steps[0].messages.at(-1).message
      receiver.on("/breaks", json([1], { link: "</breaks?2>; rel=next" }))
      receiver.on("/breaks?2", answers.status(500, { "content-type": "application/json" }, `{"why":"x"}`))
      const broken = yield* call("/breaks")
      assert.strictEqual(messageOf(broken), "The server answered 500.")
      assert.deepInclude(broken.variables["answer"], { status: 500, data: { why: "x" } })
      receiver.on("/odd", json({ items: "none" }))
      assert.match(messageOf(yield* call("/odd", { items_path: ["items"] })), /^Page 1 has no list at `items`\.$/)
      const large = "x".repeat(3 * 1024 * 1024)
      receiver.on("/heavy", json([large], { link: "</heavy?2>; rel=next" }))
      receiver.on("/heavy?2", json([large], { link: "</heavy?3>; rel=next" }))
      assert.match(messageOf(yield* call("/heavy")), /^The pages together are longer than 5242880 bytes\.$/)
      assert.lengthOf(receiver.of("/heavy?3"), 0)
      receiver.on("/inside", json([1], { link: "<http://127.0.0.1:1/>; rel=next" }))
      assert.match(messageOf(yield* call("/inside")), /^(port|address)_refused: /)
    })
  )

  it.effect(
    "at another origin a page goes without credentials, and not at all with a secret in its body (W9, 7.13)",
    () =>
      Effect.gen(function* () {
        const { other, receiver } = yield* HttpSide
        const { recordId, world } = yield* setting({ token: "tok-7xq3zkwv" })
        const { origin } = receiver
        receiver.on("/mine", json([1], { link: `<${other.origin}/theirs>; rel=next` }))
        other.on("/theirs", json([2], { link: `<${origin}/back>; rel=next` }))
        receiver.on("/back", json([3]))
        const login = {
          http_call_authentication: { type: "bearer", secret: secret("token") },
          http_call_headers: [
            { key: "X-Key", value: [secret("token")] },
            { key: "Accept", value: ["application/json"] }
          ]
        }
        const run = yield* runSteps(world, recordId, [paged(`${origin}/mine`, { type: "link_header" }, login)])
        completed(run)
        assert.deepStrictEqual(run.variables["answer"].data, [1, 2, 3])
        assert.strictEqual(receiver.of("/mine")[0]!.headers.authorization, "Bearer tok-7xq3zkwv")
        for (const { headers } of [other.of("/theirs")[0]!, receiver.of("/back")[0]!]) {
          assert.strictEqual(headers["accept"], "application/json")
          assert.notProperty(headers, "authorization")
          assert.notProperty(headers, "x-key")
        }
        assert.include(JSON.stringify(run.logs), "Page 2 is at another origin, so no credentials and headers go along.")
        nowhere(yield* traces(world, run.run_id), ["tok-7xq3zkwv"])
        const body = { http_call_type: "post", http_call_body: ['{"key":"', secret("token"), '"}'] }
        const posted = yield* runSteps(world, recordId, [paged(`${origin}/mine`, { type: "link_header" }, body)])
        assert.match(posted.error_message!, /^The next page is at 127\.0\.0\.1:\d+, and the body holds a secret\.$/)
        assert.lengthOf(other.of("/theirs"), 1)
      })
  )

  it.effect("a cancelled run asks for no further page and is cancelled, though the step was its last (7.11)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* HttpSide
      const { call } = yield* App
      const { recordId, world } = yield* setting({})
      const { token } = world
      let finish = () => {}
      receiver.on("/slow", json([1], { link: "</slow?2>; rel=next" }))
      receiver.on("/slow?2", (request, response) => {
        finish = () => json([2], { link: "</slow?3>; rel=next" })(request, response)
      })
      const creation = yield* call("POST", `/v1/automation/app/${world.appId}`, {
        token,
        body: {
          name: "Slow",
          trigger: { type: "record_created", config: {} },
          actions: [paged(`${receiver.origin}/slow`, { type: "link_header" })]
        }
      })
      const { id } = creation.json.automation
      const startAnswer = yield* call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { record_id: recordId }
      })
      yield* eventually(
        "asks for page 2",
        Effect.sync(() => receiver.of("/slow?2").length),
        (count) => count === 1
      )
      const cancellation = yield* call("POST", `/v1/automation-run/${startAnswer.json.run_id}/cancel`, { token })
      assert.strictEqual(cancellation.status, 202, cancellation.text)
      finish()
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "cancelled")
      const [step] = run!.logs.filter(({ type }: any) => type === "action")
      assert.strictEqual(step.status, "cancelled")
      assert.lengthOf(receiver.of("/slow?3"), 0)
    })
  )

  it.effect("digest and a provider's token hold for all pages of the first origin (7.6; P3)", () =>
    Effect.gen(function* () {
      const { other, receiver } = yield* HttpSide
      const { recordId, world } = yield* setting({ password: "pass-7xq3zkwv" })
      const page =
        (value: number, next: string): Answer =>
        (request, response) =>
          (request.headers.authorization?.startsWith("Digest ") === true
            ? json([value], next === "" ? {} : { link: `<${next}>; rel=next` })
            : answers.status(401, { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth"' }))(request, response)
      receiver.on("/d1", page(1, "/d2"))
      receiver.on("/d2", page(2, ""))
      const login = { type: "digest", username: ["a"], secret: secret("password") }
      const run = yield* runSteps(world, recordId, [
        paged(`${receiver.origin}/d1`, { type: "link_header" }, { http_call_authentication: login })
      ])
      completed(run)
      assert.deepStrictEqual(run.variables["answer"].data, [1, 2])
      assert.match(String(receiver.of("/d2")[0]!.headers.authorization), /nc=00000002/)
      assert.lengthOf(receiver.of("/d2"), 1)

      const providers = yield* AuthenticationProviders
      let issued = 0
      receiver.on("/token", (_request, response) =>
        json({ access_token: `token-${++issued}`, token_type: "Bearer", expires_in: 3600 })(_request, response)
      )
      const heldResponse =
        (token: string, value: number, headers: Record<string, string> = {}): Answer =>
        (request, response) =>
          (request.headers.authorization === token ? json([value], headers) : answers.status(401))(request, response)
      receiver.on("/p1", heldResponse("Bearer token-1", 1, { link: "</p2>; rel=next" }))
      receiver.on("/p2", heldResponse("Bearer token-2", 2, { link: `<${other.origin}/p3>; rel=next` }))
      other.on("/p3", json([3]))
      const provider = yield* providers.create(world.orgId, {
        name: "Example",
        grant_type: "client_credentials",
        token_url: `${receiver.origin}/token`,
        client_id: "client",
        client_secret: Redacted.make("secret"),
        allowed: "all"
      })
      const { config } = paged(`${receiver.origin}/p1`, { type: "link_header" })
      const authenticated = yield* runSteps(world, recordId, [
        {
          type: "authenticated_http_call",
          config: { ...config, authentication_provider_id: provider.authentication_provider_id }
        }
      ])
      completed(authenticated)
      assert.deepStrictEqual(authenticated.variables["answer"].data, [1, 2, 3])
      assert.notProperty(other.of("/p3")[0]!.headers, "authorization")
    })
  )
})

describe("the next page of an answer", () => {
  const request = {
    ...{ method: "GET", url: "https://a.example/x?after=1&b=2#f", shown: "", headers: {}, body: undefined },
    ...{ bodyStays: false, login: {}, digest: undefined, elsewhere: false }
  } satisfies StepHttpRequest
  const answer = { headers: {}, url: "https://a.example/x" }
  const cursor = { type: "cursor", next_path: ["next"], cursor_parameter: "after" } as const

  unit("is none where nothing names it, and no next page is made of anything else", () => {
    for (const next of [undefined, null, "", false]) assert.isNull(nextPage(cursor, answer, { next }))
    for (const next of [true, {}, []]) assert.instanceOf(nextPage(cursor, answer, { next }), StepFailed)
    assert.instanceOf(nextPage({ ...cursor, type: "next_url" }, answer, { next: 5 }), StepFailed)
    assert.instanceOf(nextPage({ ...cursor, type: "next_url" }, answer, { next: "http://[" }), StepFailed)
  })

  unit("takes the place of an earlier cursor in the query, and needs an object in the body", () => {
    const withCursor = pageRequest(cursor, request, request, { cursor: "ä&" })
    assert.deepInclude(withCursor, { url: "https://a.example/x?b=2&after=%C3%A4%26#f" })
    for (const body of [undefined, "x", "[]", "5", "null"])
      assert.instanceOf(
        pageRequest({ ...cursor, cursor_in: "body" }, { ...request, body }, request, { cursor: "x" }),
        StepFailed
      )
  })

  unit("is found by own keys and indexes, from the end too", () => {
    assert.strictEqual(valueAt({ a: [1, { b: 2 }] }, ["a", -1, "b"]), 2)
    for (const path of [["constructor"], ["__proto__"], ["a", "length"], ["a", 9], ["x", "y"]])
      assert.isUndefined(valueAt({ a: [1] }, path))
    assert.deepStrictEqual(itemsOf({ type: "link_header" }, { a: 1 }, 1), [{ a: 1 }])
    assert.deepStrictEqual(itemsOf({ type: "link_header", items_path: ["gone"] }, {}, 1), [])
    assert.deepStrictEqual(itemsOf({ type: "link_header" }, "", 1), [])
  })
})
