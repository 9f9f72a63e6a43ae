// docs/decisions.md, "Events": what changes, as it changes, for who may see it. developer-api.md 1.7, 2.3, 2.4.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedToken, seedUser } from "../../support/app.ts"
import { eventsAt } from "../../support/eventStream.ts"
import { signedIn } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const makeTestApp = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
  const by = as(owner)
  const create = (title: string, id: number = app.app_id) =>
    Effect.map(by("POST", `/v1/record/app/${id}`, { fields: { title } }), ({ json }) => json.record_id as number)
  return { appId: app.app_id as number, by, create, orgId, owner, workspaceId }
})

/** A place from which a stream goes on: nothing that was open before anybody listened is open any more, in no database of the cluster. */
const placeOf = Effect.fnUntraced(function* <R>(
  { events, until }: Effect.Success<ReturnType<typeof eventsAt>>,
  orgId: number,
  create: Effect.Effect<number, never, R>
) {
  const sql = yield* SqlClient.SqlClient
  for (;;) {
    const lastRecord = yield* create
    yield* until("the record", (all) => all.some(({ data }) => data.record_id === lastRecord))
    const { id } = events.at(-1)!
    const settledListeners = yield* sql`
      SELECT 1 FROM change_listeners WHERE org_id = ${orgId} AND since < pg_snapshot_xmin(${id}::text::pg_snapshot)`
    if (settledListeners.length > 0) return { id, last: lastRecord }
  }
})

layer(appLayer(), { excludeTestServices: true })("GET /v1/events", (it) => {
  it.effect("tells of records, comments and apps at once, by ids, without their data", () =>
    Effect.gen(function* () {
      const { appId, by, create, owner } = yield* makeTestApp
      const stream = yield* eventsAt(owner.key)
      assert.strictEqual(stream.response.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(stream.response.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(stream.of("ready"), [{ resumed: false }])
      const record_id = yield* create("Salt and rope")
      yield* stream.until("the record", (all) => all.some(({ event }) => event === "record"))
      yield* by("PUT", `/v1/record/${record_id}`, { fields: { title: "Rope" } })
      const { comment_id } = (yield* by("POST", `/v1/comment/record/${record_id}`, { value: "Leaves at noon" })).json
      yield* by("PUT", `/v1/app/${appId}`, { description: "Of the pier" })
      const { view } = (yield* by("POST", `/v1/view/app/${appId}`, { name: "Mine", layout: "table", private: true }))
        .json
      yield* by("PUT", `/v1/view/${view.view_id}`, { name: "Ropes" })
      yield* by("DELETE", `/v1/view/${view.view_id}`)
      yield* by("DELETE", `/v1/record/${record_id}`)
      yield* stream.until("all of them", (all) => all.filter(({ event }) => event === "record").length >= 4)
      assert.deepStrictEqual(stream.of("record"), [
        { app_id: appId, type: "record.create", record_id, revision: 0 },
        { app_id: appId, type: "record.update", record_id, revision: 1 },
        { app_id: appId, type: "comment.create", record_id, comment_id },
        { app_id: appId, type: "record.delete", record_id, revision: 2 }
      ])
      yield* stream.until("the app and its views", (all) => all.filter(({ event }) => event === "app").length >= 4)
      // The view is somebody's own: nothing of it is told.
      const viewChange = { app_id: appId, type: "view.update" }
      const appChanges = [{ app_id: appId, type: "app.update" }, viewChange, viewChange, viewChange]
      assert.sameDeepMembers([...stream.of("app")], appChanges)
      assert.notInclude(JSON.stringify(stream.events), "ope")
    }).pipe(Effect.scoped)
  )

  it.effect("goes on behind Last-Event-ID, in whatever order transactions end: nothing is missed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, create, owner } = yield* makeTestApp
      const stream = yield* eventsAt(owner.key, `?app_id=${appId}`)
      const { id, last: first } = yield* placeOf(stream, owner.orgId, create("one"))
      yield* stream.close
      const missed = yield* create("two")
      const resumedStream = yield* eventsAt(owner.key, `?app_id=${appId}`, { "last-event-id": id })
      assert.deepStrictEqual(resumedStream.of("ready"), [{ resumed: true }])
      yield* resumedStream.until("the missed one", (all) => all.some(({ data }) => data.record_id === missed))
      assert.isFalse(resumedStream.of("record").some((data) => data.record_id === first))
      // One that began before, and ends after, those that came through.
      const createFiber = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE apps SET name = name WHERE app_id = ${appId}`
          yield* sql`INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, payload, created_on)
            VALUES ('record.update', ${owner.orgId}, ${appId}, ${first}, true, true, false, 0, '{"revision": 99}', now())`
          const meanwhile = yield* Effect.forkDetach(create("three"))
          return yield* Effect.map(
            resumedStream.until(
              "the one that came through",
              (all) => all.filter(({ event }) => event === "record").length >= 2
            ),
            () => meanwhile
          )
        })
      )
      yield* resumedStream.until("the late one", (all) => all.some(({ data }) => data.revision === 99))
      assert.isDefined(createFiber)
      const by = yield* eventsAt(owner.key, `?app_id=${appId}&last_event_id=${encodeURIComponent(id)}`)
      yield* by.until("all three", (all) => all.filter(({ event }) => event === "record").length >= 3)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "beside others who listen it goes on without telling anything twice, from places that only go forward",
    () =>
      Effect.gen(function* () {
        const { appId, create, owner } = yield* makeTestApp
        const other = yield* eventsAt(owner.key, `?app_id=${appId}`)
        let { id } = yield* placeOf(other, owner.orgId, create("one"))
        for (const round of [1, 2, 3]) {
          // What the others have not been told of yet, when the stream goes on.
          const ids = [yield* create(`missed ${round}`)]
          const resumedStream = yield* eventsAt(owner.key, `?app_id=${appId}`, { "last-event-id": id })
          ids.push(yield* create(`heard ${round}`))
          yield* resumedStream.until("both", (all) => all.some(({ data }) => data.record_id === ids[1]))
          assert.deepStrictEqual(
            resumedStream.of("record").map(({ record_id }) => record_id),
            ids
          )
          const positions = resumedStream.events
            .filter(({ event }) => event === "record")
            .map((one) => BigInt(one.id.split(":")[1]!))
          assert.isTrue(positions[0]! <= positions[1]!)
          ;({ id } = resumedStream.events.at(-1)!)
          yield* resumedStream.close
        }
      }).pipe(Effect.scoped)
  )

  it.effect("a place that is no longer known, or none, is told: ready, not resumed", () =>
    Effect.gen(function* () {
      const { create, owner } = yield* makeTestApp
      for (const id of [
        "1:1:",
        "99999999999999:99999999999999:",
        "x",
        "5:4:",
        "1:9:9",
        "1:9:3,2",
        "0:0:",
        `1:9:${"1,".repeat(3000)}`
      ]) {
        const stream = yield* eventsAt(owner.key, "?seconds=1", { "last-event-id": id })
        assert.deepStrictEqual(stream.of("ready"), [{ resumed: false }], id.slice(0, 40))
      }
      const stream = yield* eventsAt(owner.key)
      const sql = yield* SqlClient.SqlClient
      // As after a crash of the database, which empties what is not logged.
      yield* sql`DELETE FROM change_listeners`
      yield* create("unseen")
      const resumedStream = yield* eventsAt(owner.key, "", { "last-event-id": stream.events[0]!.id })
      assert.deepStrictEqual(resumedStream.of("ready"), [{ resumed: false }])
    }).pipe(Effect.scoped)
  )

  it.effect("a stream that begins where the last one of its process has just ended has a place to go on from", () =>
    Effect.gen(function* () {
      const { owner } = yield* makeTestApp
      for (let i = 0; i < 4; i++) {
        const stream = yield* eventsAt(owner.key, "?seconds=1")
        yield* stream.until("the end", (all) => all.some(({ event }) => event === "end"))
        for (const { event, id } of stream.events) assert.match(id, /^\d+:\d+:[\d,]*$/, event)
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "attack: nobody hears of other organizations, of apps that are not theirs, of kinds beyond their level",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { appId, by, create, orgId, owner, workspaceId } = yield* makeTestApp
        const privateWorkspace = (yield* by("POST", "/v1/workspace", { name: "Behind", type: "private" })).json
          .workspace_id
        const secret = (yield* createApp(owner, privateWorkspace, [field("single_text", "Title")])).app_id as number
        const member = yield* seedUser(orgId, "member")
        const guest = yield* seedUser(orgId, "guest")
        const stranger = yield* makeTestApp
        const narrow = yield* seedToken(owner.userId, ["records:read"], { appIds: [appId] })
        const streams = yield* Effect.all({
          member: eventsAt(member.key),
          guest: eventsAt(guest.key),
          stranger: eventsAt(stranger.owner.key),
          narrow: eventsAt(narrow),
          owner: eventsAt(owner.key)
        })
        const openRecord = yield* create("open")
        const closed = yield* create("closed", secret)
        yield* by("POST", `/v1/comment/record/${openRecord}`, { value: "Noon" })
        yield* sql`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
        VALUES (${orgId}, ${appId}, 1, 1, 1, 'regular', 'pending', false, 0, '{}', now())`
        const lastRecord = yield* create("last")
        yield* streams.owner.until("the last", (all) => all.some(({ data }) => data.record_id === lastRecord))
        yield* streams.member.until("the last", (all) => all.some(({ data }) => data.record_id === lastRecord))
        yield* streams.narrow.until("the last", (all) => all.some(({ data }) => data.record_id === lastRecord))
        const ids = (name: keyof typeof streams) =>
          streams[name].events.flatMap(({ data, event }) =>
            event === "record" && !data.comment_id ? [data.record_id] : []
          )
        assert.deepStrictEqual(ids("owner"), [openRecord, closed, lastRecord])
        assert.deepStrictEqual(ids("member"), [openRecord, lastRecord])
        assert.deepStrictEqual(ids("narrow"), [openRecord, lastRecord])
        assert.lengthOf(streams.owner.of("run"), 1)
        for (const name of ["member", "narrow"] as const) assert.deepStrictEqual(streams[name].of("run"), [], name)
        assert.isTrue(streams.member.of("record").some((data) => data.comment_id > 0))
        assert.isFalse(streams.narrow.of("record").some((data) => data.comment_id > 0))
        yield* stranger.create("theirs")
        yield* streams.stranger.until("their own", (all) => all.some(({ event }) => event === "record"))
        assert.deepStrictEqual(
          [...new Set(streams.stranger.of("record").map(({ app_id }) => app_id))],
          [stranger.appId]
        )
        assert.deepStrictEqual(
          streams.guest.events.map(({ event }) => event),
          ["ready"]
        )
        // A right that is taken away is gone within seconds.
        yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${privateWorkspace}, ${member.userId}, 'member')`
        const memberStream = yield* eventsAt(member.key)
        yield* create("shown", secret)
        yield* memberStream.until("the shown one", (all) => all.some(({ data }) => data.app_id === secret))
        yield* sql`DELETE FROM workspace_members WHERE workspace_id = ${privateWorkspace} AND user_id = ${member.userId}`
        yield* Effect.sleep("5100 millis")
        const countBefore = memberStream.events.length
        yield* create("closed again", secret)
        const end = yield* create("end")
        yield* memberStream.until("the end", (all) => all.some(({ data }) => data.record_id === end))
        assert.isFalse(memberStream.events.slice(countBefore).some(({ data }) => data.app_id === secret))
        assert.isAbove(workspaceId, 0)
      }).pipe(Effect.scoped)
  )

  it.effect("says what is wrong with what is asked", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, orgId, owner } = yield* makeTestApp
      const member = yield* seedUser(orgId, "member")
      const narrow = yield* seedToken(owner.userId, ["records:read"])
      const nothing = yield* seedToken(owner.userId, ["email:send"])
      const ask = (token: string, query: string) => app.call("GET", `/v1/events${query}`, { token })
      const cases: ReadonlyArray<readonly [string, string, number, string]> = [
        [owner.key, "?kinds=record", 400, "validation"],
        [owner.key, "?kinds=", 400, "validation"],
        [owner.key, "?seconds=0", 400, "validation"],
        [owner.key, "?seconds=301", 400, "validation"],
        [owner.key, "?seconds=x", 400, "invalid_request_url"],
        [owner.key, "?app_id=x", 400, "invalid_request_url"],
        [owner.key, "?app_id=999999999", 404, "not_found"],
        [member.key, `?app_id=${appId}&kinds=runs`, 403, "restricted_resource"],
        [narrow, "?kinds=records,runs", 403, "restricted_resource"],
        [nothing, "", 403, "restricted_resource"],
        ["svc_pat_none", "", 401, "dev_api_invalid_access_token"]
      ]
      for (const [token, query, status, code] of cases) {
        const reply = yield* ask(token, query)
        assert.deepStrictEqual([reply.status, reply.json?.error_code], [status, code], `${query} ${reply.text}`)
      }
    })
  )

  it.effect("a user has ten at a time; further ones are 429 until one is closed", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* makeTestApp
      const streams = yield* Effect.forEach(Array.from({ length: 10 }), () => eventsAt(owner.key), {
        concurrency: "unbounded"
      })
      const refusal = yield* app.call("GET", "/v1/events", { token: owner.key })
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [429, "too_many_requests"])
      yield* streams[0]!.close
      const newStream = yield* eventsAt(owner.key)
      assert.strictEqual(newStream.status, 200)
    }).pipe(Effect.scoped)
  )

  it.effect("ends with its time, and with the session that its token acts for", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* makeTestApp
      const short = yield* eventsAt(owner.key, "?seconds=1")
      yield* short.isOver
      assert.deepStrictEqual(short.of("end"), [{ reason: "time" }])
      const cookie = yield* signedIn(owner.personId)
      const headers = { cookie, origin: "http://127.0.0.1:8080" }
      const { access_token } = (yield* app.call("POST", "/console/token", { headers })).json
      const stream = yield* eventsAt(access_token)
      yield* sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
      yield* stream.isOver
      assert.deepStrictEqual(stream.of("end"), [{ reason: "credential" }])
    }).pipe(Effect.scoped)
  )

  it.effect("who is too slow is told to read anew, and what was kept for them is forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, owner } = yield* makeTestApp
      const stream = yield* eventsAt(owner.key)
      yield* sql`
        INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, payload, created_on)
        SELECT 'record.update', ${owner.orgId}, ${appId}, n, true, true, false, 0, '{"revision": 1}', now()
        FROM generate_series(1, 6000) n`
      yield* stream.until("the reset", (all) => all.some(({ event }) => event === "reset"))
      assert.isBelow(stream.of("record").length, 2_000)
    }).pipe(Effect.scoped)
  )

  it.effect("nothing is written while nobody listens", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { create, orgId } = yield* makeTestApp
      yield* create("unheard")
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM changes WHERE org_id = ${orgId}`, [])
    })
  )
})
