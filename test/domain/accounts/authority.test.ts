// decisions A20: an authority is a user's present rights within the reach of a credential, asked anew for each access.
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  Authorities,
  everything,
  FoundRights,
  lacking,
  type Reach,
  readReach,
  rightsColumn,
  storedReach
} from "../../../src/domain/accounts/Authority.ts"
import { allScopes } from "../../../src/domain/accounts/Scope.ts"
import { rowsOf } from "../../../src/platform/sql/rows.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { App, appLayer, seedUser } from "../../support/app.ts"
import { makeApp, seedApp } from "../automations/support.ts"

describe("a stored reach", () => {
  const limited: Reach = { scopes: new Set(["records:read"]), selection: { workspaceIds: [1], appIds: [2, 3] } }
  it("reads as it was written; everything is null", () => {
    assert.strictEqual(storedReach(everything), null)
    for (const reach of [
      everything,
      limited,
      { ...limited, scopes: "all" as const },
      { ...everything, scopes: new Set(allScopes) }
    ]) {
      assert.deepStrictEqual(readReach(JSON.parse(JSON.stringify(storedReach(reach)))), reach)
    }
  })
  it("that no longer reads reaches nothing; a scope that is no more is left out", () => {
    const nothing = { scopes: new Set(), selection: { workspaceIds: [], appIds: [] } }
    for (const storedReach of ["all", 5, [], { scopes: "all" }, { apps: ["1"] }, undefined]) {
      assert.deepStrictEqual(readReach(storedReach) as unknown, nothing, JSON.stringify(storedReach))
    }
    assert.deepStrictEqual(readReach({ scopes: ["records:read", "records:burn"] }).scopes, new Set(["records:read"]))
  })
  it("names the first scope that it lacks", () => {
    assert.strictEqual(lacking(limited, ["records:read", "records:edit", "email:send"]), "records:edit")
    assert.strictEqual(lacking(everything, allScopes), undefined)
  })
})

const acting = (person: { readonly userId: number; readonly orgId: number }, reach: Reach = everything) => ({
  userId: person.userId,
  orgId: person.orgId,
  author: { type: "automation", automation_id: 1 } as const,
  automationId: 1,
  reach
})

layer(appLayer(), { excludeTestServices: true })("an authority", (it) => {
  it.effect("has the rights of the moment at which it is asked, within its reach", () =>
    Effect.gen(function* () {
      const app = yield* App
      const authorities = yield* Authorities
      const { appId, orgId, token, workspaceId } = yield* seedApp()
      const other = yield* makeApp(token, workspaceId, [])
      const admin = yield* seedUser(orgId, "admin")
      const fullAuthority = authorities.of(acting(admin))
      const some = authorities.of(acting(admin, { scopes: "all", selection: { workspaceIds: [], appIds: [appId] } }))
      const levels = Effect.all([
        fullAuthority.on(appId),
        fullAuthority.on(other.appId),
        some.on(appId),
        some.on(other.appId)
      ])
      const currentLevels = () => Effect.map(levels, (all) => all.map(({ level }) => level))
      assert.deepStrictEqual(yield* currentLevels(), [5, 5, 5, 0])
      const putUser = (body: object) => app.call("PUT", `/v1/org/user/${admin.userId}`, { token, body })
      yield* putUser({ role: "member" })
      // The workspace is closed.
      assert.deepStrictEqual(yield* currentLevels(), [0, 0, 0, 0])
      assert.strictEqual((yield* fullAuthority.present).role, "member")
      yield* putUser({ status: "deactivated" })
      const lost = yield* Effect.flip(fullAuthority.present)
      assert.match(lost.message, /no longer an active user/)
      const stranger = yield* seedApp()
      const foreign = authorities.of({ ...acting(stranger.owner), orgId })
      assert.strictEqual((yield* Effect.flip(foreign.present))._tag, "AuthorityLost")
      assert.strictEqual((yield* authorities.of(acting(stranger.owner)).on(appId)).level, 0)
    })
  )

  it.effect(
    "that another statement has just found is what it would be told, and holds for that user and app alone, for a moment",
    () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        const authorities = yield* Authorities
        const { appId, owner, token, workspaceId } = yield* seedApp()
        const other = yield* makeApp(token, workspaceId, [])
        const Found = Schema.Struct({ found: Schema.NullOr(FoundRights) })
        const [row] = yield* rowsOf(Found)(
          sql`SELECT ${rightsColumn(sql, "q.user_id", "q.app_id")} AS found FROM (SELECT ${owner.userId}::bigint AS user_id, ${appId}::bigint AS app_id) q`
        )
        const queriedAuthority = yield* authorities.of(acting(owner)).on(appId)
        const soon = (yield* Clock.currentTimeMillis) + 60_000
        const until = (rights: FoundRights, at = soon) => ({ rights, until: at })
        assert.deepStrictEqual(yield* authorities.of(acting(owner), until(row!.found!)).on(appId), queriedAuthority)
        // Found at a moment when it was closed to them; all else is asked for.
        const closed = { ...row!.found!, role: "member" as const, member_role: null }
        const presetAuthority = authorities.of(acting(owner), until(closed))
        assert.deepStrictEqual(
          [(yield* presetAuthority.on(appId)).level, (yield* presetAuthority.on(other.appId)).level],
          [0, 5]
        )
        assert.strictEqual((yield* presetAuthority.present).role, "owner")
        assert.strictEqual((yield* authorities.of(acting(owner), until(closed, soon - 60_001)).on(appId)).level, 5)
        const stranger = yield* seedApp()
        const foreign = authorities.of(acting(stranger.owner), until(row!.found!))
        assert.strictEqual((yield* foreign.on(stranger.appId)).level, 5)
      })
  )

  it.effect("a question that was asked before and is not answered yet is answered to whoever asks again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const authorities = yield* Authorities
      const { appId, owner, token, workspaceId } = yield* seedApp()
      const other = yield* makeApp(token, workspaceId, [])
      const tableLocked = yield* Deferred.make<void>()
      const lockReleased = yield* Deferred.make<void>()
      const blocked = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE workspace_members IN ACCESS EXCLUSIVE MODE`
            yield* Deferred.succeed(tableLocked, undefined)
            yield* Deferred.await(lockReleased)
          })
        )
      )
      yield* Deferred.await(tableLocked)
      const authority = authorities.of(acting(owner))
      const ask = (id: number) => Effect.forkChild(authority.on(id))
      const firstRound = [yield* ask(appId), yield* ask(other.appId)]
      // The next round asks while the former waits for its answer.
      for (let n = 0; n < 20; n++) yield* Effect.yieldNow
      const second = [yield* ask(appId), yield* ask(other.appId)]
      for (let n = 0; n < 20; n++) yield* Effect.yieldNow
      yield* Deferred.succeed(lockReleased, undefined)
      for (const fiber of [...firstRound, ...second]) assert.strictEqual((yield* Fiber.join(fiber)).level, 5)
      yield* Fiber.join(blocked)
    })
  )
})
