// developer-api.md 7.13: tags of an automation, by which people find it again: as written but for the blanks around them, one of each
// whatever its case, and no part of what runs.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { apply } from "../../../../src/interfaces/cli/automationCommands.ts"
import { exportPortable } from "../../../../src/interfaces/cli/portableApply.ts"
import { App, appLayer, seedUser } from "../../../support/app.ts"
import { commands, create, makeApp, seedApp } from "../support.ts"

const trigger = { type: "record_created", config: {} }
const actions = [{ id: "wait", type: "delay", config: { delay_ms: 1000 } }]

const putAutomation = Effect.fnUntraced(function* (
  token: string,
  id: number,
  body: object,
  headers: Record<string, string> = {}
) {
  const app = yield* App
  return yield* app.call("PUT", `/v1/automation/${id}`, { token, body, headers })
})
const tagsOf = ({ json }: any) => json.automation.tags

layer(appLayer(), { excludeTestServices: true })("tags of automations (7.13)", (it) => {
  it.effect("are absent when there are none, trimmed, kept by a change of others, copied, and cleared", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const app = yield* App
      assert.notProperty((yield* create(token, appId)).json.automation, "tags")
      const creation = yield* create(token, appId, { trigger, actions, tags: ["  Billing ", "näch\u0301ste", "🚚"] })
      const tags = ["Billing", "näch\u0301ste".normalize("NFC"), "🚚"]
      assert.deepStrictEqual(tagsOf(creation), tags)
      const { id } = creation.json.automation
      assert.deepStrictEqual(tagsOf(yield* putAutomation(token, id, { name: "Other" })), tags)
      assert.deepStrictEqual(tagsOf(yield* app.call("GET", `/v1/automation/${id}`, { token })), tags)
      const copy = yield* app.call("POST", `/v1/automation/${id}/duplicate`, { token, body: {} })
      assert.deepStrictEqual(tagsOf(copy), tags)
      for (const empty of [[], null]) {
        assert.deepStrictEqual(tagsOf(yield* putAutomation(token, id, { tags })), tags)
        assert.notProperty((yield* putAutomation(token, id, { tags: empty })).json.automation, "tags")
      }
    })
  )

  it.effect("what they may not be is named by its place, and changes nothing", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const numbered = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`)
      const { id } = (yield* create(token, appId, { tags: numbered(20) })).json.automation
      for (const [tags, message] of [
        ["billing", /^tags: expected/],
        [["a", 7], /^tags\[1\]: expected/],
        [["a", "   "], /^tags\[1\]: expected a value with a length between 1 and 50/],
        [["a".repeat(51)], /^tags\[0\]: expected at most 50 characters/],
        [["a\nb"], /^tags\[0\]: expected a text without control characters/],
        [["a\u2028b"], /^tags\[0\]: expected a text without control characters/],
        [numbered(21), /^tags: /],
        [["Billing", "x", " bILLING "], /^tags\[2\]: is the same tag as tags\[0\]; case does not count/],
        [["Grüße", "GRÜSSE"], /^tags\[1\]: is the same tag as tags\[0\]/]
      ] as const) {
        for (const refusal of [yield* putAutomation(token, id, { tags }), yield* create(token, appId, { tags })]) {
          assert.strictEqual(refusal.status, 400, JSON.stringify(tags))
          assert.match(refusal.json.error_message, message)
        }
      }
      assert.match((yield* create(token, appId, { tags: null })).json.error_message, /^tags: /)
      assert.strictEqual((yield* putAutomation(token, id, { tags: ["a".repeat(50), "resume", "résumé"] })).status, 200)
    })
  )

  it.effect("alone they change neither version, revisions nor owner, and nothing that runs is told of it", () =>
    Effect.gen(function* () {
      const { appId, orgId, token } = yield* seedApp()
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const creation = yield* create(token, appId, { trigger, actions, concurrency: { at_most: 1 }, tags: ["one"] })
      const { id, owner_id } = creation.json.automation
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token, body: {} })
      const commandsBefore = yield* commands
      const colleague = yield* seedUser(orgId, "admin")
      const changedAutomation = (yield* putAutomation(colleague.key, id, { tags: ["two"] })).json.automation
      assert.deepStrictEqual(
        [changedAutomation.tags, changedAutomation.version, changedAutomation.owner_id, changedAutomation.status],
        [["two"], 1, owner_id, "active"]
      )
      const { revisions } = (yield* app.call("GET", `/v1/automation/${id}/revision`, { token })).json
      assert.lengthOf(revisions, 1)
      assert.deepStrictEqual(yield* commands, commandsBefore)
      const entries = sql<{ user_id: number; details: any }>`
        SELECT user_id, details FROM audit_log
        WHERE event = 'automation.changed' AND (details ->> 'automation_id')::int = ${id} ORDER BY happened_on`
      const [entry] = yield* entries
      assert.strictEqual(entry!.user_id, colleague.userId)
      assert.deepStrictEqual(entry!.details.changed, ["tags"])
      // The same again is no change.
      yield* putAutomation(token, id, { tags: ["two"] })
      assert.lengthOf(yield* entries, 1)
      assert.strictEqual((yield* putAutomation(token, id, { tags: ["three"] }, { "if-match": '"7"' })).status, 409)
      assert.strictEqual((yield* putAutomation(token, id, { tags: ["three"] }, { "if-match": '"1"' })).status, 200)
      // With another member they are part of one save; an earlier revision brings none back.
      const renamedAutomation = (yield* putAutomation(token, id, { name: "Other", tags: ["four"] })).json.automation
      assert.deepStrictEqual([renamedAutomation.tags, renamedAutomation.version], [["four"], 2])
      const restoration = yield* app.call("POST", `/v1/automation/${id}/revision/${revisions[0].id}/restore`, { token })
      assert.deepStrictEqual(
        [restoration.json.automation.name, restoration.json.automation.tags, restoration.json.automation.version],
        ["Close", ["four"], 3]
      )
    })
  )

  it.effect("of an automation whose steps no longer read they are changed as well", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const sql = yield* SqlClient.SqlClient
      const { id } = (yield* create(token, appId, { trigger, actions })).json.automation
      yield* sql`UPDATE automations SET format = 0, actions = '[{ "type": "unheard_of" }]' WHERE automation_id = ${id}`
      assert.strictEqual((yield* putAutomation(token, id, { name: "Other" })).status, 409)
      assert.deepStrictEqual(tagsOf(yield* putAutomation(token, id, { tags: ["to mend"] })), ["to mend"])
    })
  )

  it.effect("narrow a listing whatever their case, page by page, and are listed with how many have them", () =>
    Effect.gen(function* () {
      const { appId, orgId, token, workspaceId } = yield* seedApp()
      const app = yield* App
      const otherApp = yield* makeApp(token, workspaceId, [])
      const createTagged = (into: number, name: string, tags: ReadonlyArray<string>) =>
        Effect.map(create(token, into, { name, tags }), ({ json }) => json.automation.id as number)
      const firstId = yield* createTagged(appId, "One", ["Billing", "Éclair"])
      const secondId = yield* createTagged(otherApp.appId, "Two", ["Billing"])
      const thirdId = yield* createTagged(appId, "Three", ["billing", "night"])
      yield* createTagged(appId, "Four", ["Billing late"])
      const list = (query: string, path = "org", key = token) =>
        app.call("GET", `/v1/automation/${path}?${query}`, { token: key })
      const idsOf = ({ json }: any) => json.automations.map(({ id }: any) => id)
      assert.deepStrictEqual(idsOf(yield* list("tag=%20BILLING")), [firstId, secondId, thirdId])
      assert.deepStrictEqual(idsOf(yield* list("tag=billing", `app/${appId}`)), [firstId, thirdId])
      assert.deepStrictEqual(idsOf(yield* list("tag=billing&name=T", `workspace/${workspaceId}`)), [secondId, thirdId])
      assert.deepStrictEqual(idsOf(yield* list("tag=%C3%A9CLAIR")), [firstId])
      assert.deepStrictEqual(idsOf(yield* list("tag=eclair")), [])
      assert.deepStrictEqual(idsOf(yield* list("tag=bill")), [])
      assert.strictEqual((yield* list("tag=")).json.total, 4)
      assert.strictEqual((yield* list(`tag=${"a".repeat(51)}`)).status, 400)
      const firstPage = (yield* list("tag=billing&limit=2")).json
      assert.deepStrictEqual([firstPage.total, firstPage.automations.length], [3, 2])
      assert.deepStrictEqual(idsOf(yield* list(`tag=billing&limit=2&cursor=${firstPage.cursor}`)), [thirdId])
      assert.strictEqual((yield* list(`tag=night&limit=2&cursor=${firstPage.cursor}`)).status, 400)
      assert.deepStrictEqual((yield* app.call("GET", "/v1/automation/tag", { token })).json.tags, [
        { tag: "Billing", automations: 3 },
        { tag: "Billing late", automations: 1 },
        { tag: "night", automations: 1 },
        { tag: "Éclair", automations: 1 }
      ])
      const stranger = yield* seedUser(orgId, "member")
      assert.deepStrictEqual((yield* app.call("GET", "/v1/automation/tag", { token: stranger.key })).json.tags, [])
      assert.deepStrictEqual(idsOf(yield* list("tag=billing", "org", stranger.key)), [])
      assert.strictEqual((yield* putAutomation(stranger.key, firstId, { tags: ["mine"] })).status, 404)
    })
  )

  it.effect("travel in files; a file that differs in them alone keeps the version, one without takes them away", () =>
    Effect.gen(function* () {
      const app = yield* App
      const source = yield* seedApp()
      const tags = ["Billing", "{{ record.title }}"]
      const creation = yield* create(source.token, source.appId, { trigger, actions, tags })
      const path = `/v1/automation/${creation.json.automation.id}`
      const { file } = (yield* app.call("GET", `${path}/portable`, { token: source.token })).json
      assert.deepStrictEqual(file.tags, tags)
      const target = yield* seedApp()
      const importFile = (body: object) =>
        app.call("POST", "/v1/automation/portable", { token: target.token, body: { app_id: target.appId, ...body } })
      const { automation_id } = (yield* importFile({ file })).json
      const read = Effect.map(
        app.call("GET", `/v1/automation/${automation_id}`, { token: target.token }),
        ({ json }) => json.automation
      )
      assert.deepStrictEqual((yield* read).tags, tags)
      assert.deepStrictEqual((yield* importFile({ file })).json.changes, [])
      const editedImport = yield* importFile({ file: { ...file, tags: ["Late"] } })
      assert.deepStrictEqual(editedImport.json.changes, [
        '~ tags[0]: "Billing" -> "Late"',
        '- tags[1]: "{{ record.title }}"'
      ])
      assert.deepStrictEqual([(yield* read).tags, (yield* read).version], [["Late"], 1])
      const { tags: _, ...untaggedFile } = file
      assert.deepStrictEqual((yield* importFile({ file: untaggedFile })).json.changes, ['- tags: ["Late"]'])
      assert.notProperty(yield* read, "tags")
      assert.strictEqual((yield* read).version, 1)

      const text = yield* exportPortable(creation.json.automation.id, "yaml")
      const applyResult = yield* apply(text, target.appId, target.owner.userId, false, undefined, target.orgId)
      assert.isTrue(applyResult.applied)
      assert.deepStrictEqual([(yield* read).tags, (yield* read).version], [tags, 1])
    })
  )
})
