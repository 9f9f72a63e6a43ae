// docs/api.md "Short templates" in portable files: read as the law's form, written back, and unknown names told with their places; files of form 1 and
// stored texts keep their braces.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { parse } from "yaml"
import { apply } from "../../../../src/interfaces/cli/automationCommands.ts"
import { exportPortable } from "../../../../src/interfaces/cli/portableApply.ts"
import { App, appLayer, seedUser } from "../../../support/app.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"
import { duringTurns } from "../../../support/turns.ts"
import { create, field, makeApp, seedApp } from "../support.ts"
import { references, templates } from "../templates/support.ts"

/** Milliseconds of CPU in one turn: such a file took half a minute. */
const HELD_AT_MOST = 2_000

const file = `portable: 2
key: short-templates
app: { $app: deliveries }
name: Told of deliveries
trigger: { type: webhook_received, config: { response_body: '{ "mail": "{{ trigger.mail }}" }' } }
filter:
  operator: and
  rows: [{ id: f, subject: "{{ record.State }}", operator: is_any_of, value: { type: ids, ids: [{ $option: deliveries.state.Planned }] } }]
actions:
  - { id: code, type: custom_code, custom_name: Lookup, config: { code: "return {{ a: 1 }}", custom_variable_defs: [{ custom_type: any, label: City }] } }
  - id: loop
    type: for_loop
    config:
      iterable: "{{ trigger.items }}"
      action_rows:
        - id: mail
          type: send_email
          config:
            to_address: "{{ trigger.items[0].mail }}"
            subject: 'Due {{ record.Due.start_date }}, {{ record["reference"] }} in {{ steps.Lookup.City }}{{ "{{" }}'
            message_body: ["<b>{{ today }}</b>", "{{ trigger.headers.x-shop }}", { kind: value, value_type: date, date: "2026-02-11" }]
  - id: call
    type: http_call
    config: { http_call_type: post, http_call_url: "https://harbor.example/{{ secrets.shop_key }}" }
  - id: update
    type: current_record_update
    config:
      author_id: "{{ meta.created_by }}"
      field_assignments: [{ field_type: single_text, variable_def: "{{ record.Reference }}", field_value: "{{ vars.City }}" }]
`

const variable = (source: string, more: object) => ({ kind: "variable", source, ...more })
const payload = (...key_path: ReadonlyArray<string | number>) =>
  variable("trigger", { trigger_type: "webhook_payload_property", key_path, data_type: "any" })
const city = variable("custom", { custom_type: "any", label: "City" })
const flags = { previous: false, collection: false, triggering: false }

const seeding = Effect.gen(function* () {
  const app = yield* App
  const seeded = yield* seedApp()
  const secret = { name: "shop_key", value: "sk_live_1" }
  const creation = yield* app.call("POST", `/v1/secret/app/${seeded.appId}`, { token: seeded.token, body: secret })
  assert.strictEqual(creation.status, 200, creation.text)
  const into = (text: string, dry = false) => apply(text, undefined, undefined, dry, seeded.owner.userId, seeded.orgId)
  const read = Effect.fnUntraced(function* (id: number | null) {
    return (yield* app.call("GET", `/v1/automation/${id}`, { token: seeded.token })).json.automation
  })
  return { ...seeded, into, read }
})

layer(appLayer(), { excludeTestServices: true })("short templates in portable files", (it) => {
  it.effect("are read as the references of the law's form, in texts and alone, and written back", () =>
    Effect.gen(function* () {
      const { fields, into, read } = yield* seeding
      const { automation_id } = yield* into(file)
      const { actions, filter, trigger } = yield* read(automation_id)
      const [code, loop, call, update] = actions
      const [mail] = loop.config.action_rows
      const due = field(fields["due"]!, "single_date", { ...flags, property: "start_date" })
      const reference = field(fields["reference"]!, "single_text", flags)
      assert.deepStrictEqual(trigger.config.response_body, ['{ "mail": "', payload("mail"), '" }'])
      assert.deepStrictEqual(filter.rows[0].subject, field(fields["state"]!, "status", flags))
      assert.deepStrictEqual(code.config.code, ["return {{ a: 1 }}"])
      assert.deepStrictEqual(loop.config.iterable, payload("items"))
      assert.deepStrictEqual(mail.config.to_address, [payload("items", 0, "mail")])
      assert.deepStrictEqual(mail.config.subject, ["Due ", due, ", ", reference, " in ", city, "{{"])
      assert.deepStrictEqual(mail.config.message_body, [
        ...["<b>", variable("global", { global_type: "current_date" }), "</b>"],
        variable("trigger", { trigger_type: "webhook_headers", key: "x-shop" }),
        { kind: "value", value_type: "date", date: "2026-02-11" }
      ])
      assert.deepStrictEqual(call.config.http_call_url, [
        "https://harbor.example/",
        variable("secret", { name: "shop_key" })
      ])
      assert.deepStrictEqual(update.config.author_id, variable("meta", { meta_type: "created_by" }))
      const [assignment] = update.config.field_assignments
      assert.deepStrictEqual([assignment.variable_def, assignment.field_value], [reference, [city]])

      const text = yield* exportPortable(automation_id!, "yaml")
      const writtenFile = parse(text)
      const [mailed] = writtenFile.actions[1].config.action_rows
      assert.strictEqual(writtenFile.portable, 2)
      assert.strictEqual(writtenFile.filter.rows[0].subject, "{{ record.state }}")
      assert.strictEqual(
        mailed.config.subject,
        'Due {{ record.due.start_date }}, {{ record.reference }} in {{ steps.Lookup.City }}{{ "{{" }}'
      )
      assert.strictEqual(writtenFile.actions[3].config.field_assignments[0].variable_def, "{{ record.reference }}")
      assert.deepStrictEqual((yield* into(text)).changes, [])
    })
  )

  it.effect("unknown names are listed with their places and the nearest, secrets too; nothing is changed", () =>
    Effect.gen(function* () {
      const { appId, into, token } = yield* seeding
      const app = yield* App
      const wrong = file
        .replace("record.Due.", "record.Duw.")
        .replace("steps.Lookup", "steps.Lokup")
        .replace("secrets.shop_key", "secrets.shop_keys")
        .replace('"{{ meta.created_by }}"', '"by {{ meta.created_by }}"')
        .replace('mail": "{{ trigger.mail }}', 'mail": "{{ trigger.mail')
      const subjectPlace = "actions[1].config.action_rows[0].config.subject"
      const expected = [
        'trigger.config.response_body, character 12, {{ trigger.mail" }: unexpected "\\" }"',
        `${subjectPlace}, character 5, {{ record.Duw.start_date }}: the app "Deliveries" has no field "Duw"; did you mean "due"?`,
        `${subjectPlace}, character 63, {{ steps.Lokup.City }}: no step is called "Lokup"; did you mean "Lookup"?`,
        "actions[3].config.author_id: a reference stands here, {{ … }} alone",
        'there is no secret "shop_keys" that the app may use; did you mean "shop_key"?'
      ]
      const { message } = yield* Effect.flip(into(wrong))
      assert.deepStrictEqual(
        message.split("\n").slice(1),
        expected.map((line) => `- ${line}`)
      )
      const body = { file: parse(wrong), dry_run: true }
      const answer = yield* app.call("POST", "/v1/automation/portable", { token, body })
      assert.deepStrictEqual(answer.json.missing, expected)
      const page = (yield* app.call("GET", `/v1/automation/app/${appId}`, { token })).json
      assert.strictEqual(page.total, 0)
    })
  )

  it.effect("thousands of unknown names hold nobody up: the nearest is sought for those that are listed (P8)", () =>
    Effect.gen(function* () {
      const { token } = yield* seeding
      const app = yield* App
      const long = (prefix: string, index: number) => `${prefix}${index}`.padEnd(60, prefix)
      const labels = Array.from({ length: 300 }, (_, index) => long("xyz", index))
      const unknown = Array.from({ length: 5_000 }, (_, index) => `{{ vars.${long("abc", index)} }}`).join("")
      const custom_variable_defs = labels.map((label) => ({ custom_type: "any", label }))
      const actions = [
        { type: "custom_code", config: { code: "1", custom_variable_defs } },
        { type: "current_record_comment_create", config: { comment_content: unknown } }
      ]
      const body = { file: { ...parse(file), trigger: null, filter: null, actions }, dry_run: true }
      const [answer, turns] = yield* duringTurns(app.call("POST", "/v1/automation/portable", { token, body }))
      assert.strictEqual(answer.status, 200, answer.text)
      assert.lengthOf(answer.json.missing, 101)
      assert.strictEqual(answer.json.missing.at(-1), "and more")
      assert.isBelow(turns.longest, HELD_AT_MOST)
    })
  )

  it.effect("apps that the caller does not see are neither found nor suggested", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const app = yield* App
      const { appId, into, orgId, owner, token, workspaceId } = yield* seeding
      const privateWorkspace = { name: "Other", type: "private" }
      const { workspace_id } = (yield* app.call("POST", "/v1/workspace", { token, body: privateWorkspace })).json
      yield* makeApp(token, workspace_id, [{ field_type: "single_text", config: { label: "Pin" } }])
      yield* sql`UPDATE apps SET slug = 'vault', name = 'Vault' WHERE workspace_id = ${workspace_id}`
      const admin = yield* seedUser(orgId, "member")
      yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${admin.userId}, 'admin')`
      const named = (app_name: string) =>
        `{ portable: 2, key: a, app: { $app: deliveries }, name: A, actions: [{ id: a, type: send_email, config: { subject: "{{ fields.${app_name}.pin }}" } }] }`
      const missing = Effect.fnUntraced(function* (app_name: string, caller: string) {
        const body = { file: parse(named(app_name)), dry_run: true }
        return (yield* app.call("POST", "/v1/automation/portable", { token: caller, body })).json
      })
      const ofApp = (name: string) =>
        `actions[0].config.subject, character 1, {{ fields.${name}.pin }}: there is no app`
      for (const name of ["vault", "valt"]) {
        const answer = yield* missing(name, admin.key)
        assert.strictEqual(answer.app_id, appId)
        assert.deepStrictEqual(answer.missing, [`${ofApp(name)} ${JSON.stringify(name)}`])
      }
      assert.deepStrictEqual((yield* missing("vault", owner.key)).missing, [])
      assert.deepStrictEqual((yield* missing("valt", owner.key)).missing, [
        `${ofApp("valt")} "valt"; did you mean "vault"?`
      ])
      assert.strictEqual((yield* into(named("vault"))).applied, true)
    })
  )

  it.effect("in files of form 1, and in what is stored, two braces are text", () =>
    Effect.gen(function* () {
      const { appId, into, read, token } = yield* seeding
      const literal = "Dear {{ record.Reference }}, {{ nobody }} {{"
      const old = `{ portable: 1, key: old, app: { $app: deliveries }, name: A, actions: [{ id: a, type: send_email, config: { subject: "${literal}" } }] }`
      const { automation_id } = yield* into(old)
      assert.deepStrictEqual((yield* read(automation_id)).actions[0].config.subject, [literal])
      assert.deepStrictEqual((yield* into(old)).changes, [])
      const text = yield* exportPortable(automation_id!, "yaml")
      assert.include(text, '{{ "{{" }}')
      assert.deepStrictEqual((yield* into(text)).changes, [])
      const body = { actions: [{ id: "a", type: "send_email", config: { subject: [literal, "{"] } }] }
      const { automation } = (yield* create(token, appId, body)).json
      assert.deepStrictEqual(automation.actions[0].config.subject, [literal, "{"])
      assert.deepStrictEqual((yield* into(yield* exportPortable(automation.id, "json"))).changes, [])
    })
  )

  it.effect("what is exported is applied without a change, whatever stands in it (drawn)", () =>
    Effect.gen(function* () {
      const { appId, fields, into, token, workspaceId } = yield* seeding
      const app = yield* App
      const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Name" } }])
      yield* (yield* SqlClient.SqlClient)`UPDATE apps SET slug = 'crews' WHERE app_id = ${other.appId}`
      const drawnFields = [
        { field_id: fields["reference"]!, field_type: "single_text" },
        { field_id: fields["due"]!, field_type: "single_date" },
        { field_id: fields["due"]!, field_type: "single_text" },
        { field_id: other.fields["name"]!, field_type: "single_text" }
      ]
      const reference = references(drawnFields, [appId, other.appId])
      const onlyReference = reference.filter((one) => one["kind"] === "variable")
      const template = templates(reference)
      const drawn = fc.record({
        ...{ subject: template, body: template, url: template, text: template, name: fc.constantFrom("A", "a b", "") },
        ...{ iterable: onlyReference, files: fc.array(onlyReference, { maxLength: 2 }) },
        code: fc.array(fc.oneof(fc.constantFrom("{{ today }}", "{{", "x"), onlyReference), { maxLength: 3 })
      })
      const samples = fc.sample(drawn, { seed: seedOf("TEMPLATES_SEED"), numRuns: 60 * DEPTH })
      let shortened = 0
      for (const { body, code, files, iterable, name, subject, text, url } of samples) {
        const target = field(fields["reference"]!, "single_text")
        const value = { type: "text", text: ["x", ...text] }
        const filter = { operator: "and", rows: [{ id: "f", subject: target, operator: "is", value }] }
        const mail = { to_address: text, subject, message_body: body, attach_files_variable_defs: files }
        const actions = [
          {
            ...{ id: "code", type: "custom_code", ...(name === "" ? {} : { custom_name: name }) },
            config: { code, custom_variable_defs: [{ custom_type: "any", label: "City" }] }
          },
          {
            id: "loop",
            type: "for_loop",
            config: { iterable, action_rows: [{ id: "m", type: "send_email", config: mail }] }
          },
          {
            id: "call",
            type: "http_call",
            config: {
              ...{ http_call_type: "post", http_call_url: url },
              http_call_body: [...body, { kind: "variable", source: "secret", name: "shop_key" }]
            }
          }
        ]
        const creation = yield* create(token, appId, { filter, actions })
        assert.strictEqual(creation.status, 201, creation.text)
        const exported = yield* exportPortable(creation.json.automation.id, "yaml")
        const applied = yield* into(exported)
        assert.deepStrictEqual(applied.changes, [], exported)
        assert.strictEqual(yield* exportPortable(applied.automation_id!, "yaml"), exported)
        shortened += exported.split("{{ ").length - 1
        yield* app.call("DELETE", `/v1/automation/${creation.json.automation.id}`, { token })
      }
      assert.isAbove(shortened, 200)
    })
  )
})
