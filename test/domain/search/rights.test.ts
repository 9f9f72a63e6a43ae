// Rights as SQL are those of the matrix (developer-api.md 2.2, 2.3, 1.7), and a search finds what a plain scan of everything finds
// (developer-api.md 11.1).
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeAppLevels } from "../../../src/domain/accounts/appLevels.ts"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import { levelAt, type WorkspaceRole, type WorkspaceType } from "../../../src/domain/accounts/levels.ts"
import { Search, wayThrough } from "../../../src/domain/search/Search.ts"
import { SAMPLE } from "../../../src/domain/search/searchSample.ts"
import { entryKinds } from "../../../src/domain/search/searchSchemas.ts"
import { RANKED } from "../../../src/domain/search/searchStatement.ts"
import { rowsOf } from "../../../src/platform/sql/rows.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { fold } from "../../../src/platform/text/folding.ts"
import { appLayer, seedUser } from "../../support/app.ts"
import { callerOf, seedWorkspace } from "../../support/records.ts"

const types: ReadonlyArray<WorkspaceType> = ["default", "open", "closed", "private"]
const memberRoles: ReadonlyArray<WorkspaceRole | null> = [null, "admin", "member", "guest"]
const Held = Schema.Struct({ app_id: Schema.Int, level: Schema.Int })

const makeRandom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** An organization with a workspace of each type, each role in it for one user of theirs, and an app in each. */
const organization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedWorkspace
  const user = yield* seedUser(orgId, "member")
  const appPlaces: Array<{
    app_id: number
    workspace_id: number
    type: WorkspaceType
    member_role: WorkspaceRole | null
  }> = []
  for (const type of types)
    for (const memberRole of memberRoles) {
      const [workspace] = yield* sql<{ workspace_id: number }>`
        INSERT INTO workspaces (org_id, name, slug, type, created_on)
        VALUES (${orgId}, 'W', ${`${type}-${memberRole}`}, ${type}, now()) RETURNING workspace_id`
      const { workspace_id } = workspace!
      if (memberRole !== null)
        yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspace_id}, ${user.userId}, ${memberRole})`
      const [app] = yield* sql<{ app_id: number }>`
        INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
        VALUES (${orgId}, ${workspace_id}, 'a', 'Pier', 'Crate', 0, now()) RETURNING app_id`
      appPlaces.push({ app_id: app!.app_id, workspace_id, type, member_role: memberRole })
    }
  return { orgId, owner, places: appPlaces, user }
})

layer(appLayer(), { excludeTestServices: true })("rights and results of a search", (it) => {
  it.effect("levels as SQL are those of the matrix, for every role, type, selection and joint standing", () =>
    Effect.gen(function* () {
      const { places, user } = yield* organization
      const sql = yield* Sql
      const appLevels = makeAppLevels(sql)
      const selection = {
        workspaceIds: places.filter((_, n) => n % 3 === 0).map(({ workspace_id }) => workspace_id),
        appIds: places.filter((_, n) => n % 5 === 0).map(({ app_id }) => app_id)
      }
      const memberships = new Map(
        places.flatMap(({ member_role, workspace_id }) =>
          member_role === null ? [] : [[workspace_id, member_role] as const]
        )
      )
      const callers: ReadonlyArray<CallerShape> = (["owner", "admin", "member", "guest"] as const).flatMap((role) => {
        const caller = callerOf(user, role)
        const reader = { userId: user.userId, role, selection: "all" as const, memberships }
        return [
          caller,
          { ...caller, selection },
          { ...caller, standings: [reader, { ...reader, role: "owner", memberships: new Map() }] },
          { ...caller, standings: [reader, { ...reader, selection }] }
        ]
      })
      for (const caller of callers) {
        const rows = yield* rowsOf(Held)(
          sql`SELECT app_id, level FROM (${appLevels(caller, sql`true`)}) x ORDER BY app_id`
        )
        const expected = places
          .map((place) => ({ app_id: place.app_id, level: levelAt(caller, place).level as number }))
          .filter(({ level }) => level > 0)
        assert.deepStrictEqual(rows, expected)
      }
    })
  )

  it.effect(
    "drawn records, words and callers: a search finds what a scan finds, through the index as from the newest on",
    () =>
      Effect.gen(function* () {
        const { orgId, places, user } = yield* organization
        const sql = yield* SqlClient.SqlClient
        const random = makeRandom(11)
        const letters = ["a", "B", "ä", "é", "ß", "Σ", "1", "京", "Ａ", "\u00ad"]
        const word = () => Array.from({ length: 1 + random(3) }, () => letters[random(letters.length)]!).join("")
        const text = () => Array.from({ length: 1 + random(4) }, word).join([" ", ", ", " - "][random(3)]!)
        const records = Array.from({ length: 3 * SAMPLE }, (_, n) => ({
          app_id: places[random(places.length)]!.app_id,
          app_record_id: n + 1,
          title: text(),
          note: text(),
          deleted: random(10) === 0
        }))
        yield* sql`
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by, deleted_on)
        SELECT x.app_id, ${orgId}, x.app_record_id, x.title, jsonb_build_object('1', jsonb_build_array(x.note)), now(), '{}',
          CASE WHEN x.deleted THEN now() END
        FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
          AS x (app_id bigint, app_record_id bigint, title text, note text, deleted boolean)`
        const search = yield* Search
        /** Words by another rule than the index: letter by letter. */
        const words = (value: string) =>
          fold(value)
            .replaceAll(/[Ａａ]/g, "a")
            .replaceAll("\u00ad", "")
            .replaceAll("京", " 京 ")
            .split(/[ ,-]+/)
            .filter((one) => one !== "")
        const occurs = (inText: ReadonlyArray<string>, sought: ReadonlyArray<string>) =>
          sought.length === 0 ||
          inText.some((_, at) =>
            sought.every(
              (one, n) => (n === sought.length - 1 ? inText[at + n]?.startsWith(one) : inText[at + n] === one) === true
            )
          )
        const hasWords = (inText: ReadonlyArray<string>, sought: ReadonlyArray<string>) =>
          sought.length === 0 || inText.some((_, at) => sought.every((one, n) => inText[at + n] === one))
        const placeOf = new Map(places.map((one) => [one.app_id, one]))
        let results = 0
        for (let round = 0; round < 60; round++) {
          const caller = callerOf(user, (["owner", "member", "admin", "guest"] as const)[random(4)])
          const terms = Array.from({ length: 1 + random(2) }, () =>
            random(3) === 0 ? { quoted: true, text: `${word()} ${word()}` } : { quoted: false, text: word() }
          )
          const q = terms.map(({ quoted, text }) => (quoted ? `"${text}"` : text)).join(" ")
          const isEmpty = terms.every(({ text }) => words(text).length === 0)
          const expected = records.filter(
            ({ app_id, deleted, note, title }) =>
              !deleted &&
              !isEmpty &&
              levelAt(caller, placeOf.get(app_id)!).level > 0 &&
              terms.every(({ quoted, text }) =>
                [title, note].some((part) => (quoted ? hasWords : occurs)(words(part), words(text)))
              )
          )
          const hitTitles: Array<string> = []
          let cursor: string | undefined
          do {
            const page = yield* search.find(caller, {
              q,
              kinds: ["record"],
              limit: 50,
              ...(cursor === undefined ? {} : { cursor })
            })
            hitTitles.push(...page.results.map(({ app_id, title }) => `${app_id} ${title}`))
            cursor = page.cursor ?? undefined
          } while (cursor !== undefined)
          results += hitTitles.length
          assert.strictEqual(new Set(hitTitles).size <= hitTitles.length, true)
          if (expected.length <= RANKED.least)
            assert.deepStrictEqual(
              hitTitles.toSorted(),
              expected.map(({ app_id, title }) => `${app_id} ${title}`).toSorted(),
              q
            )
          else {
            const wholeMatches = expected.filter(({ note, title }) =>
              terms.every(({ text }) => [title, note].some((part) => hasWords(words(part), words(text))))
            )
            assert.isAtLeast(hitTitles.length, RANKED.least, q)
            const foundSet = new Set(hitTitles)
            if (wholeMatches.length <= RANKED.least)
              for (const { app_id, title } of wholeMatches) assert.isTrue(foundSet.has(`${app_id} ${title}`), q)
          }
        }
        assert.isAbove(results, 100)
      })
  )

  it("frequent words are compared, not looked up; where all are frequent the newest entries are read, of few apps theirs", () => {
    const term = (word: string) => ({ words: [word], prefix: true })
    const terms = [term("the"), term("rare"), term("rarer")]
    const way = (frequencies: ReadonlyArray<number>, joint: number, more: object = {}) => {
      const sampled = { size: SAMPLE, entries: 1_000_000, reached: SAMPLE, matches: joint, joint, frequencies, ...more }
      const { through } = wayThrough(sampled, terms)
      return typeof through === "string" ? through : through.map(({ word }) => word)
    }
    assert.deepStrictEqual(way([700, 4, 2], 1), ["rare", "rarer"])
    assert.deepStrictEqual(way([0, 0, 0], 0), ["the", "rare", "rarer"])
    assert.strictEqual(way([700, 400, 300], 100), "newest")
    assert.strictEqual(way([0, 0, 0], 0, { size: SAMPLE - 1 }), "newest")
    assert.strictEqual(way([100, 100, 100], 50, { matches: 0, reached: 10 }), "apps")
    assert.deepStrictEqual(way([100, 2, 2], 1, { matches: 0, reached: 10 }), ["rare", "rarer"])
    assert.deepStrictEqual(
      new Set(Object.values(entryKinds).map(({ letter }) => letter)).size,
      Object.keys(entryKinds).length
    )
  })
})
