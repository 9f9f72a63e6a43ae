// Definitions in files (our extension): export prints what apply takes back without a change; a dry run shows and changes nothing.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { differences, readFile, writeFile } from "../../../../src/domain/automations/definitions/automationFiles.ts"
import {
  type AutomationRow,
  automationColumns
} from "../../../../src/domain/automations/definitions/StoredAutomation.ts"
import { apply } from "../../../../src/interfaces/cli/automationCommands.ts"
import { App, appLayer, seedToken, seedUser } from "../../../support/app.ts"
import { seedApp } from "../support.ts"

layer(appLayer(), { excludeTestServices: true })("automation apply and export", (it) => {
  it.effect(
    "a file makes an automation, is exported with its id and node ids, and applies again without a change",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { appId, orgId, owner, token } = yield* seedApp()
        const text = [
          "name: Close",
          "trigger: { type: record_created, config: {} }",
          "actions:",
          "  - id: check",
          "    type: conditional",
          "    config:",
          "      action_rows: [{ id: stop, type: exit, config: { exit_type: success } }]"
        ].join("\n")
        const planned = yield* apply(text, appId, owner.userId, true)
        assert.deepStrictEqual(planned, { automation_id: null, applied: false, changes: ['+ automation: "Close"'] })
        const creation = yield* apply(text, appId, owner.userId, false)
        const id = creation.automation_id!
        for (const format of ["yaml", "json"] as const) {
          const [row] = yield* sql<AutomationRow>`
          SELECT ${sql.literal(automationColumns)} FROM automations x JOIN apps a USING (app_id) WHERE automation_id = ${id}`
          const exported = writeFile(id, row!, format)
          assert.notInclude(exported, "group")
          assert.deepStrictEqual((yield* apply(exported, undefined, undefined, false)).changes, [])
          const edited = exported.replace("success", "failure")
          const dry = yield* apply(edited, undefined, undefined, true)
          const change = '~ actions[0].config.action_rows[0].config.exit_type: "success" -> "failure"'
          assert.deepStrictEqual(dry, { automation_id: id, applied: false, changes: [change] })
        }
        const read = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
        assert.deepStrictEqual([read.version, read.owner_id, read.actions[0].id], [1, owner.userId, "check"])
        const changed = yield* apply(`id: ${id}\nname: Other\n`, undefined, undefined, false)
        assert.isTrue(changed.applied)
        const changedAutomation = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
        assert.deepStrictEqual(
          [changedAutomation.name, changedAutomation.trigger, changedAutomation.actions, changedAutomation.version],
          ["Other", null, [], 2]
        )
        // A20: whose it is stays, with the reach, unless another owner is named.
        const pat = yield* seedToken(owner.userId, ["automations:read", "automations:edit"], { appIds: [appId] })
        yield* app.call("PUT", `/v1/automation/${id}`, { token: pat, body: { filter: null } })
        const reaches = () =>
          Effect.map(
            sql<{ author_id: number; reach: any }>`
            SELECT author_id, reach FROM automation_revisions WHERE automation_id = ${id} ORDER BY version DESC LIMIT 1`,
            ([row]) => [row!.author_id, row!.reach?.apps ?? null]
          )
        const other = yield* seedUser(orgId, "admin")
        yield* apply(`id: ${id}\nname: Kept\n`, undefined, undefined, false)
        assert.deepStrictEqual(yield* reaches(), [owner.userId, [appId]])
        const transfer = yield* apply(`id: ${id}\nname: Kept\n`, undefined, undefined, false, other.userId)
        assert.deepStrictEqual(transfer.changes, [`~ owner: ${owner.userId} -> ${other.userId}`])
        assert.deepStrictEqual(yield* reaches(), [other.userId, null])
        const guest = yield* seedUser(orgId, "member")
        yield* Effect.flip(apply(`id: ${id}\nname: Again\n`, undefined, undefined, false, guest.userId))
      })
  )
})

layer(appLayer(), { excludeTestServices: true })("a file without ids", (it) => {
  it.effect("applied again changes nothing; edited, what it shares with the definition keeps its ids (3.7)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, owner, token } = yield* seedApp()
      const subject = { kind: "variable", source: "field", field_id: fields["reference"], field_type: "single_text" }
      const has = (operator: string) => ({ subject, operator })
      const exit = (exit_type: string) => ({ type: "exit", config: { exit_type } })
      const wait = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })
      const when = (condition: object, ...action_rows: ReadonlyArray<object>) => ({
        type: "conditional",
        config: { condition, action_rows }
      })
      const file = (id: number | undefined, filter: object, ...actions: ReadonlyArray<object>) =>
        JSON.stringify({
          ...(id === undefined ? {} : { id }),
          name: "Kept",
          trigger: { type: "record_created", config: {} },
          filter,
          actions
        })
      const both = {
        operator: "and",
        rows: [has("is_not_empty"), { operator: "or", rows: [{ code: ["true"] }, has("is_empty")] }]
      }
      const branch = when({ operator: "and", rows: [has("is_not_empty")] }, wait(1000), exit("success"))
      const creation = yield* apply(file(undefined, both, branch, wait(2000)), appId, owner.userId, false)
      const id = creation.automation_id!
      const read = () => Effect.map(app.call("GET", `/v1/automation/${id}`, { token }), ({ json }) => json.automation)
      const automationBefore = yield* read()
      const repeatedApply = yield* apply(file(id, both, branch, wait(2000)), undefined, undefined, false)
      assert.deepStrictEqual([repeatedApply.applied, repeatedApply.changes], [false, []])
      assert.strictEqual((yield* read()).version, automationBefore.version)
      // A step in front, another one's value changed, one gone from the branch.
      const edited = when({ operator: "and", rows: [has("is_not_empty")] }, exit("failure"))
      const changed = yield* apply(file(id, both, wait(3000), edited, wait(2000)), undefined, undefined, false)
      assert.isTrue(changed.applied)
      const automationAfter = yield* read()
      assert.deepStrictEqual(automationAfter.filter, automationBefore.filter)
      const [first, second, third] = automationAfter.actions
      assert.deepStrictEqual(
        [second.id, third.id],
        automationBefore.actions.map((action: any) => action.id)
      )
      assert.deepStrictEqual(second.config.condition, automationBefore.actions[0].config.condition)
      assert.strictEqual(second.config.action_rows[0].id, automationBefore.actions[0].config.action_rows[1].id)
      assert.notInclude([second.id, third.id], first.id)
    })
  )

  it.effect("an id that the file names is not given to another step", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, owner, token } = yield* seedApp()
      const step = (delay_ms: number, id?: string) => ({
        ...(id === undefined ? {} : { id }),
        ...{ type: "delay", config: { delay_ms } }
      })
      const file = (id: number | undefined, ...actions: ReadonlyArray<object>) =>
        JSON.stringify({ ...(id === undefined ? {} : { id }), name: "Named", actions })
      const { automation_id } = yield* apply(
        file(undefined, step(1000, "a"), step(2000, "b")),
        appId,
        owner.userId,
        false
      )
      yield* apply(file(automation_id!, step(1000), step(3000, "a")), undefined, undefined, false)
      const { json } = yield* app.call("GET", `/v1/automation/${automation_id}`, { token })
      const [first, second] = json.automation.actions
      assert.deepStrictEqual([first.id, second.id], ["b", "a"])
    })
  )
})

describe("files", () => {
  it("broken YAML, doubled keys and a foreign root are named", () => {
    for (const text of ["a: [", "name: a\nname: b", "- 1", "id: x"]) {
      assert.isTrue(Result.isFailure(readFile(text)), text)
    }
  })
  it("differences are listed place by place", () => {
    assert.deepStrictEqual(differences({ a: 1, b: [1, 2] }, { b: [1, 3, 4], c: true }), [
      "- a: 1",
      "~ b[1]: 2 -> 3",
      "+ b[2]: 4",
      "+ c: true"
    ])
  })
})
