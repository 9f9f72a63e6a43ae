// Claims rows of the mailbox of an app's automations (decisions A17): the first row alone of each automation and record. A claim of few rows
// says what the author may, as it stands.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaimInRecordOrder } from "../../../../src/domain/automations/firing/claimInRecordOrder.ts"
import { App, appLayer, seedUser } from "../../../support/app.ts"
import { automate, createRecord, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const AT = new Date("2026-11-01T08:00:00Z")

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { claim } = yield* makeClaimInRecordOrder
  const { appId, fields, orgId, owner, token } = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } }
  ])
  const automationId = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [setText(fields["reference"]!, "done")]
  })
  const recordId = yield* createRecord(token, appId, {})
  const key = `automations/app/${appId}`
  yield* sql`INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'automations/app', ${String(appId)}, 'awake', 1)
    ON CONFLICT (actor_key) DO UPDATE SET state = 'awake', fence = 1`
  let event = appId * 1_000_000
  /** A row, and the event that it is for. */
  const write = Effect.fnUntraced(function* (lane: number | null = recordId, bytes = 0) {
    const event_id = event++
    // Random, so that it takes what it is long.
    yield* sql`
      INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, payload, created_on)
      SELECT ${event_id}, 'record.create', ${orgId}, ${appId}, ${recordId}, 0,
        jsonb_build_object('text', (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, ${bytes}::int / 32))), ${AT}`
    yield* sql`
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, lane, due_at)
      VALUES (${appId}, ${orgId}, ${automationId}, ${event_id}, ${lane}, ${AT})`
    return { automation_id: automationId, event_id }
  })
  /** @param held rows in the air */
  const claimed = (fence = 1, held: ReadonlyArray<number> = []) =>
    claim(
      appId,
      { key, fence },
      { held: new Set(held), ordinary: new Set() },
      { limit: 10, now: new Date(), minClaims: 0, maxClaims: 1 }
    )
  return { appId, automationId, claimed, owner, orgId, recordId, sql, token, write }
})

layer(appLayer(), { excludeTestServices: true })("rows of the mailbox", (it) => {
  it.effect("wait for those of their record that came before them", () =>
    Effect.gen(function* () {
      const { claimed, sql, write } = yield* setting
      const rows = [yield* write(), yield* write()]
      const [first, ...others] = (yield* claimed())!
      assert.deepStrictEqual([first!.event_id, others], [rows[0]!.event_id, []])
      assert.deepStrictEqual(yield* claimed(1, [first!.row_id]), [], "the first is still worked on")
      yield* sql`DELETE FROM automation_inbox WHERE row_id = ${first!.row_id}`
      assert.deepStrictEqual(
        (yield* claimed())!.map(({ event_id }) => event_id),
        [rows[1]!.event_id]
      )
    })
  )

  it.effect("are nobody's whose fence is another one", () =>
    Effect.gen(function* () {
      const { claimed, write } = yield* setting
      yield* write()
      assert.isNull(yield* claimed(2))
    })
  )

  it.effect("say if their automation has a concurrency limit (7.13)", () =>
    Effect.gen(function* () {
      const { automationId, claimed, sql, write } = yield* setting
      yield* write()
      const isLimited = Effect.map(claimed(), (rows) => rows![0]!.automation!.has_limit)
      assert.isFalse(yield* isLimited)
      yield* sql`UPDATE automations SET concurrency = '{"at_most": 1, "per_record": false, "when_full": "wait"}'
        WHERE automation_id = ${automationId}`
      yield* sql`UPDATE automation_inbox SET claims = 0 WHERE automation_id = ${automationId}`
      assert.isTrue(yield* isLimited)
    })
  )

  it.effect("come with what the author holds on the app then (developer-api.md 7.1)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, automationId, claimed, orgId, owner, sql, token, write } = yield* setting
      const claimedRights = Effect.gen(function* () {
        yield* write(null)
        const [row] = (yield* claimed())!
        yield* sql`DELETE FROM automation_inbox WHERE app_id = ${appId}`
        return row!.rights?.rights
      })
      assert.deepInclude(yield* claimedRights, { user_id: owner.userId, app_id: appId, org_id: orgId, role: "owner" })
      const member = yield* seedUser(orgId, "member")
      yield* sql`UPDATE automation_revisions SET author_id = ${member.userId} WHERE automation_id = ${automationId}`
      assert.deepInclude(yield* claimedRights, { user_id: member.userId, role: "member", member_role: null })
      const deactivation = { status: "deactivated" }
      yield* app.call("PUT", `/v1/org/user/${member.userId}`, { token, body: deactivation })
      assert.isUndefined(yield* claimedRights)
    })
  )
})

layer(appLayer(), { excludeTestServices: true })("rows of an activation that has nothing in the air", (it) => {
  it.effect("come with what their author holds on the app, where they are few (developer-api.md 7.1)", () =>
    Effect.gen(function* () {
      const { appId, claimed, owner, sql, write } = yield* setting
      const claimRows = Effect.fnUntraced(function* (count: number, held: ReadonlyArray<number>) {
        yield* Effect.replicateEffect(write(null), count)
        const rows = (yield* claimed(1, held))!.filter(({ row_id }) => !held.includes(row_id))
        return { ids: rows.map(({ row_id }) => row_id), rights: rows.map(({ rights }) => rights?.rights.user_id) }
      })
      const few = yield* claimRows(4, [])
      assert.deepStrictEqual(few.rights, Array(4).fill(owner.userId))
      const laterRows = yield* claimRows(1, few.ids)
      assert.deepStrictEqual(laterRows.rights, [undefined])
      yield* sql`DELETE FROM automation_inbox WHERE app_id = ${appId}`
      assert.deepStrictEqual((yield* claimRows(5, [])).rights, Array(5).fill(undefined))
    })
  )
})

layer(appLayer(), { excludeTestServices: true })("large events", (it) => {
  const LARGE = 400_000
  it.effect("come as many as fit into a claim, the first whatever it takes, in their order", () =>
    Effect.gen(function* () {
      const { claimed, sql, write } = yield* setting
      const rows = [yield* write(null, 5 * LARGE), ...(yield* Effect.replicateEffect(write(null, LARGE), 4))]
      const sizes: Array<number> = []
      const claimedIds: Array<number> = []
      while (claimedIds.length < rows.length) {
        const got = (yield* claimed())!
        sizes.push(got.length)
        claimedIds.push(...got.map(({ event_id }) => event_id))
        for (const { row_id } of got) yield* sql`DELETE FROM automation_inbox WHERE row_id = ${row_id}`
      }
      assert.deepStrictEqual(sizes, [1, 3, 1])
      assert.deepStrictEqual(
        claimedIds,
        rows.map(({ event_id }) => event_id)
      )
    })
  )
})
