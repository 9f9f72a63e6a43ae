// Attacks through what a caller brings into a run of somebody else's automation (decisions A24): answers that are pinned, payloads, records
// and earlier definitions, from simulations, tests of a step, simulated calls and links. The author sees a vault that the caller does not.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runsOver } from "../domain/automations/runSupport.ts"
import { App, seedToken } from "../support/app.ts"
import { spineLayer } from "../support/spine.ts"
import { call, code, completed, done, recordIn, seedVault, type Vault } from "./support.ts"

const any = (label: string) => ({ custom_type: "any", label })
const TITLE = "Takeover plans"

/** An outside step, whose answer a simulation may pin. */
const asks = {
  id: "ask",
  type: "http_call",
  config: {
    http_call_type: "post",
    http_call_url: "http://127.0.0.1:1/which",
    custom_variable_defs: [any("Answer")]
  }
}
/** Looks up what an id names by every way that a script has. */
const looksUp = (id: string, vaultApp: number) => ({
  id: "look",
  ...code(
    `const tried = async (...call) => { try { const { data } = await api.request(...call); return data } catch (error) { return String(error.message) } }
     const id = ${id}
     return JSON.stringify([await tried("GET", "/record/" + id), await tried("GET", "/record/app/${vaultApp}"),
       await tried("POST", "/record/filter/app/${vaultApp}", { filters: [] }), await tried("GET", "/app/${vaultApp}"),
       await tried("GET", "/app"), await tried("GET", "/workspace/org")])`,
    "Loot"
  )
})
const collects = (vaultApp: number) => ({
  id: "collect",
  type: "collect_app_records",
  config: { app_id: vaultApp, limit: 10, limit_enabled: true }
})

/** The vault opened to the owner, who is the author of what the workspace admin tries. */
const opened = Effect.gen(function* () {
  const vault = yield* seedVault
  yield* done(vault.keeper.key, "POST", `/v1/workspace/${vault.vaultId}/member`, {
    user_id: vault.owner.userId,
    role: "admin"
  })
  return vault
})

const automation = Effect.fnUntraced(function* (
  token: string,
  appId: number,
  actions: ReadonlyArray<object>,
  trigger: object = { type: "record_created", config: {} }
) {
  const createdAutomation = yield* done(token, "POST", `/v1/automation/app/${appId}`, {
    name: "Steps",
    trigger,
    actions
  })
  return createdAutomation.automation.id as number
})

/** The newest of its runs with its variables and its log, as one text. */
const outcome = Effect.fnUntraced(function* (id: number, n: number) {
  const sql = yield* SqlClient.SqlClient
  const run = (yield* runsOver(id, n)).at(-1)!
  const rows = yield* sql<{ value: unknown }>`
    SELECT value FROM run_variables WHERE run_id = ${run.run_id}::bigint AND label <> 'Answer'`
  return { ...run, text: JSON.stringify([rows, run.logs, run.error_message]) }
})

const tries = Effect.fnUntraced(function* (token: string, id: number, what: string, body: object, n: number) {
  yield* done(token, "POST", `/v1/automation/${id}/${what}`, body)
  return yield* outcome(id, n)
})

const pinned = (vault: Vault) => ({ ask: { status: 200, data: { id: vault.secret.recordId } } })

layer(spineLayer(), { excludeTestServices: true, timeout: 300_000 })("who brings something into a run", (it) => {
  it.effect(
    "A24: pinned answers are looked up with no more than the caller's rights; the author's own still work",
    () =>
      Effect.gen(function* () {
        const vault = yield* opened
        const { admin, appId, token } = vault
        const recordId = yield* recordIn(vault)
        const id = yield* automation(token, appId, [asks, looksUp("var_answer.data.id", vault.secret.appId)])
        const body = { record_id: recordId, pinned: pinned(vault) }
        const ownTry = yield* tries(token, id, "simulate", body, 1)
        completed(ownTry)
        assert.include(ownTry.text, TITLE)
        const stolen = yield* tries(admin.key, id, "simulate", body, 2)
        assert.notInclude(stolen.text, TITLE)
        assert.notInclude(stolen.text, "Vault")
        // What both see goes on working.
        const shared = { record_id: recordId, pinned: { ask: { status: 200, data: { id: recordId } } } }
        assert.include((yield* tries(admin.key, id, "simulate", shared, 3)).text, "Bolt")
      })
  )

  it.effect("A24: within the reach of the caller's credential, and of the one that saved the definition", () =>
    Effect.gen(function* () {
      const vault = yield* opened
      const { appId, owner, token } = vault
      const recordId = yield* recordIn(vault)
      const steps = [asks, looksUp("var_answer.data.id", vault.secret.appId)]
      const id = yield* automation(token, appId, steps)
      const body = { record_id: recordId, pinned: pinned(vault) }
      const scopes = ["automations:run", "automations:edit", "automations:read"] as const
      const narrow = yield* seedToken(owner.userId, scopes, { appIds: [appId] })
      assert.notInclude((yield* tries(narrow, id, "simulate", body, 1)).text, TITLE)
      const elsewhere = yield* seedToken(owner.userId, [...scopes, "records:read", "apps:read"], { appIds: [appId] })
      assert.notInclude((yield* tries(elsewhere, id, "simulate", body, 2)).text, TITLE)
      // The definition's own reach bounds a caller who sees more.
      const weak = yield* automation(elsewhere, appId, steps)
      assert.notInclude((yield* tries(token, weak, "simulate", body, 1)).text, TITLE)
      assert.notInclude(
        (yield* tries(token, weak, "test-step", { action_id: "look", record_id: recordId }, 2)).text,
        TITLE
      )
    })
  )

  it.effect("A24: records, collections and references too", () =>
    Effect.gen(function* () {
      const vault = yield* opened
      const { admin, appId, token } = vault
      const recordId = yield* recordIn(vault)
      const shows = {
        id: "show",
        type: "custom_variable",
        config: {
          assignment_code: [
            "'found ' + (",
            { kind: "variable", source: "action", action_type: "record_collection" },
            " || []).length"
          ],
          custom_variable_defs: [any("Found")]
        }
      }
      const id = yield* automation(token, appId, [asks, collects(vault.secret.appId), shows])
      const body = { record_id: recordId, pinned: pinned(vault) }
      completed(yield* tries(token, id, "simulate", body, 1))
      const stolen = yield* tries(admin.key, id, "simulate", body, 2)
      assert.strictEqual(stolen.status, "failed", stolen.text)
      // With nothing but the record, which is also the caller's to choose.
      assert.strictEqual((yield* tries(admin.key, id, "simulate", { record_id: recordId }, 3)).status, "failed")
    })
  )

  it.effect("A24: payloads, sent or received last, and tests of a step with them", () =>
    Effect.gen(function* () {
      const vault = yield* opened
      const { admin, appId, token } = vault
      const app = yield* App
      const id = yield* automation(
        token,
        appId,
        [
          {
            id: "take",
            type: "custom_variable",
            config: {
              assignment_code: [
                {
                  ...{ kind: "variable", source: "trigger", trigger_type: "webhook_payload_property" },
                  ...{ key_path: ["id"], data_type: "any" }
                }
              ],
              custom_variable_defs: [any("Wanted")]
            }
          },
          looksUp("var_wanted", vault.secret.appId)
        ],
        { type: "webhook_received", config: {} }
      )
      const payload = { id: vault.secret.recordId }
      assert.include((yield* tries(token, id, "simulate", { webhook_payload: payload }, 1)).text, TITLE)
      assert.notInclude((yield* tries(admin.key, id, "simulate", { webhook_payload: payload }, 2)).text, TITLE)
      const { automation: view } = yield* done(token, "POST", `/v1/automation/${id}/activate`)
      const caught = new URL(view.trigger.config.webhook_url)
      assert.isBelow((yield* app.call("POST", caught.pathname, { body: payload })).status, 300)
      yield* runsOver(id, 3)
      yield* done(token, "POST", `/v1/automation/${id}/pause`)
      const lastPayload = { use_last_received_webhook_payload: true }
      assert.include((yield* tries(token, id, "simulate", lastPayload, 4)).text, TITLE)
      assert.notInclude((yield* tries(admin.key, id, "simulate", lastPayload, 5)).text, TITLE)
      assert.notInclude((yield* tries(admin.key, id, "test-step", { action_id: "look" }, 6)).text, TITLE)
    })
  )

  it.effect("A24: an earlier definition, whose author saw more", () =>
    Effect.gen(function* () {
      const vault = yield* opened
      const { admin, appId, token } = vault
      const id = yield* automation(token, appId, [looksUp(String(vault.secret.recordId), vault.secret.appId)], {
        type: "periodic",
        config: {}
      })
      yield* done(admin.key, "PUT", `/v1/automation/${id}`, { actions: [code("return 1", "Loot")] })
      const { revisions } = yield* done(admin.key, "GET", `/v1/automation/${id}/revision`)
      const body = { revision_id: revisions.at(-1).id }
      assert.include((yield* tries(token, id, "simulate", body, 1)).text, TITLE)
      assert.notInclude((yield* tries(admin.key, id, "simulate", body, 2)).text, TITLE)
    })
  )

  it.effect(
    "A24: a simulated call and a link to a simulation bring arguments; a call that is no simulation does what it does",
    () =>
      Effect.gen(function* () {
        const vault = yield* opened
        const { admin, appId, token } = vault
        const app = yield* App
        const recordId = yield* recordIn(vault)
        const inputs = { custom_variable_defs: [any("Wanted")], custom_variable_defs_enabled: true }
        const steps = [looksUp("var_wanted", vault.secret.appId)]
        const called = yield* automation(token, appId, steps, { type: "automation_called", config: inputs })
        const body = {
          trigger_on_record_id: recordId,
          trigger_with_arguments: { var_wanted: vault.secret.recordId },
          is_simulation: true
        }
        assert.include((yield* tries(token, called, "trigger", body, 1)).text, TITLE)
        assert.notInclude((yield* tries(admin.key, called, "trigger", body, 2)).text, TITLE)
        const linked = yield* automation(token, appId, steps, { type: "weblink_clicked", config: inputs })
        let clicks = 0
        const clicked = Effect.fnUntraced(function* (as: string) {
          const link = yield* call(as, "POST", "/v1/automation/weblink/generate", {
            ...body,
            trigger_workflow_def_id: linked
          })
          assert.strictEqual(link.status, 201, link.text)
          yield* app.call("GET", new URL(link.json.trigger_client_url).pathname)
          return yield* outcome(linked, ++clicks)
        })
        assert.include((yield* clicked(token)).text, TITLE)
        assert.notInclude((yield* clicked(admin.key)).text, TITLE)
      })
  )

  it.effect("A24: a step that is tested for real does no more than author and caller may", () =>
    Effect.gen(function* () {
      const vault = yield* opened
      const { admin, appId, token } = vault
      const recordId = yield* recordIn(vault)
      const renames = {
        id: "rename",
        ...code(
          `const { status } = await api.request("PUT", "/record/${vault.secret.recordId}", { fields: { name: "Mine" } }).catch(({ message }) => ({ status: message }))
           return status`,
          "Done"
        )
      }
      const id = yield* automation(token, appId, [renames])
      const body = { action_id: "rename", record_id: recordId, real: true }
      yield* tries(admin.key, id, "test-step", body, 1)
      const name = Effect.map(
        done(vault.keeper.key, "GET", `/v1/record/${vault.secret.recordId}`),
        (record) => record.title as string
      )
      assert.strictEqual(yield* name, TITLE)
      yield* tries(token, id, "test-step", body, 2)
      assert.strictEqual(yield* name, "Mine")
    })
  )
})
