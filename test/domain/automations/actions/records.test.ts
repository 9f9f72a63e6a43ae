// Steps that change records and values (service.md 2.7, developer-api.md 7.4, 7.6, 7.7): effect, log, error path, simulation.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { ddl } from "../../../support/database.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, runsOf, runsOver } from "../runSupport.ts"
import {
  assignCode,
  assignTo,
  completed,
  compute,
  created,
  custom,
  item,
  itemRef,
  meta,
  order,
  ref,
  runSteps,
  seedWorld,
  shown,
  update,
  upload,
  where
} from "./support.ts"

layer(spineLayer(), { excludeTestServices: true })("steps on records", (it) => {
  it.effect("all 20 field types are assigned by `set` (7.7)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const { options, owner } = world
      const id = yield* order(world)
      const run = yield* runSteps(
        world,
        id,
        [
          update(
            assignTo(ref(world, "name"), ["Order ", meta("app_record_id")]),
            assignTo(ref(world, "notes"), ["<p>Hi</p>"]),
            assignTo(ref(world, "amount"), ["1.005 + 1"]),
            assignTo(ref(world, "kind"), [options["kind"]![1]]),
            assignTo(ref(world, "tags"), [options["tags"]![0], options["tags"]![2]]),
            assignTo(ref(world, "state"), [options["state"]![1]]),
            assignTo(ref(world, "due"), { start: ["2026-03-01 09:30"] }),
            assignTo(ref(world, "stay"), { start: ["2026-03-01"], end: ["2026-03-05"] }),
            assignTo(ref(world, "owner"), [owner.userId]),
            assignTo(ref(world, "team"), [meta("created_by")]),
            assignTo(ref(world, "list"), [
              { title: ["Pack"], assignee: owner.userId, due_at: ["2026-03-02"], completed: true },
              { title: ["Send ", meta("record_id")] }
            ]),
            assignTo(ref(world, "mails"), [{ type: "home", value: ["a@example.com"] }]),
            assignTo(ref(world, "phones"), [{ value: ["+43 1 234"] }]),
            assignTo(ref(world, "links"), [["https://example.com/x"]]),
            assignTo(ref(world, "place"), ["Main Street 1, Graz"])
          )
        ],
        { timezone: "Europe/Vienna" }
      )
      completed(run)
      const { app_record_id, values } = yield* shown(world.token, id)
      assert.strictEqual(values["name"][0].value, `Order ${app_record_id}`)
      assert.strictEqual(values["notes"][0].value, "<p>Hi</p>")
      assert.strictEqual(values["amount"][0].value, 2.01)
      assert.strictEqual(values["kind"][0].value.text, "Large")
      assert.deepStrictEqual(
        values["tags"].map((entry: any) => entry.value.text),
        ["Red", "Green"]
      )
      assert.strictEqual(values["state"][0].value.text, "Done")
      assert.strictEqual(values["due"][0].start, "2026-03-01 08:30:00", "a written time is of the automation's zone")
      assert.strictEqual(values["stay"][0].end_date, "2026-03-05")
      assert.strictEqual(values["owner"][0].value.user_id, owner.userId)
      assert.strictEqual(values["team"][0].value.user_id, owner.userId)
      assert.deepStrictEqual(
        values["list"].map((entry: any) => [entry.title, entry.completed, entry.assignee?.user_id ?? null]),
        [
          ["Pack", true, owner.userId],
          [`Send ${id}`, false, null]
        ]
      )
      assert.deepInclude(values["mails"][0], { value: "a@example.com", type: "home" })
      assert.strictEqual(values["phones"][0].value, "+43 1 234")
      assert.strictEqual(values["links"][0].url, "https://example.com/x")
      assert.strictEqual(values["place"][0].value, "Main Street 1, Graz")
    })
  )

  it.effect(
    "relations, several files and images are assigned by `set`: ids, references, replaced and cleared (7.7)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const { options, token } = world
        const [first, second] = [yield* order(world, { name: "1" }), yield* order(world, { name: "2" })]
        const sourceItem = yield* item(world, { title: "a", others: [second] })
        const related = yield* runSteps(
          world,
          sourceItem,
          [
            {
              type: "record_create",
              config: {
                app_id: world.appId,
                trigger_other_flows: false,
                field_assignments: [assignTo(ref(world, "state"), [options["state"]![0]])]
              }
            },
            update(assignTo(itemRef(world, "order"), [created()])),
            update(assignTo(itemRef(world, "others"), [first, itemRef(world, "order")]))
          ],
          { appId: world.items.appId }
        )
        completed(related)
        const read = () => Effect.map(shown(token, sourceItem), ({ values }) => values)
        const ids = (values: Record<string, any>, slug: string) =>
          (values[slug] ?? []).map((entry: any) => entry.value.record_id)
        const [made] = ids(yield* read(), "order")
        assert.isAbove(made, second)
        assert.deepStrictEqual(ids(yield* read(), "others"), [first, made])
        const cleared = yield* runSteps(
          world,
          sourceItem,
          [update(assignTo(itemRef(world, "order"), []), assignTo(itemRef(world, "others"), []))],
          { appId: world.items.appId }
        )
        completed(cleared)
        assert.deepStrictEqual([...ids(yield* read(), "order"), ...ids(yield* read(), "others")], [])
        const foreign = yield* runSteps(world, sourceItem, [update(assignTo(itemRef(world, "others"), [sourceItem]))], {
          appId: world.items.appId
        })
        assert.strictEqual(foreign.status, "failed", "a record of an app that the field does not point to")

        const [paper, page, picture, photo] = yield* upload(token, [
          { name: "paper.txt" },
          { name: "page.txt" },
          { name: "picture.png", type: "image/png" },
          { name: "photo.png", type: "image/png" }
        ])
        const from = yield* order(world, { paper, papers: [page], pictures: [picture, photo] })
        const files = yield* runSteps(world, from, [
          update(assignTo(ref(world, "papers"), [ref(world, "paper"), ref(world, "pictures")]))
        ])
        completed(files)
        const names = (values: Record<string, any>, slug: string) =>
          (values[slug] ?? []).map((entry: any) => entry.value.filename)
        const copiedValues = (yield* shown(token, from)).values
        assert.deepStrictEqual(
          names(copiedValues, "papers"),
          ["paper.txt", "picture.png", "photo.png"],
          "replaces, in order"
        )
        assert.deepStrictEqual(names(copiedValues, "pictures"), ["picture.png", "photo.png"])
        const images = yield* runSteps(world, from, [update(assignTo(ref(world, "pictures"), [ref(world, "paper")]))])
        assert.strictEqual(images.status, "failed", "no image")
        assert.match(images.error_message!, /image|png/i)
        const none = yield* runSteps(world, from, [
          update(assignTo(ref(world, "papers"), []), assignTo(ref(world, "pictures"), []))
        ])
        completed(none)
        const clearedValues = (yield* shown(token, from)).values
        assert.deepStrictEqual([...names(clearedValues, "papers"), ...names(clearedValues, "pictures")], [])
      })
  )

  it.effect("trigger_webhooks, trigger_other_flows and silent of every change reach its event (7.6 M)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const world = yield* seedWorld
      // The relay takes events away; what was appended is kept here.
      yield* ddl(
        "CREATE TABLE appended AS SELECT event_id, type, record_id, app_id, hook, workflow, silent FROM outbox WHERE false",
        `CREATE FUNCTION keep_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO appended VALUES (NEW.event_id, NEW.type, NEW.record_id, NEW.app_id, NEW.hook, NEW.workflow, NEW.silent); RETURN NULL;
        END $$`,
        "CREATE TRIGGER keep_event AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION keep_event()"
      )
      const order1 = yield* order(world, { name: "1" })
      const part = yield* item(world, { title: "a", order: order1 })
      const steps = (more: object) => [
        {
          type: "record_create",
          config: {
            app_id: world.appId,
            field_assignments: [assignTo(ref(world, "state"), [world.options["state"]![0]])],
            ...more
          }
        },
        {
          type: "current_record_update",
          config: { field_assignments: [assignTo(ref(world, "name"), [meta("revision")])], ...more }
        },
        { type: "current_record_comment_create", config: { comment_content: ["Hi"], ...more } },
        {
          type: "referenced_records_update",
          config: {
            app_id: world.items.appId,
            field_assignments: [assignTo(itemRef(world, "title"), [ref(world, "name"), "x"])],
            ...more
          }
        },
        { type: "collect_app_records", config: { app_id: world.items.appId } },
        {
          type: "collected_records_update",
          config: {
            record_collection: { kind: "variable", source: "action", action_type: "record_collection" },
            field_assignments: [assignTo(itemRef(world, "title"), [ref(world, "name"), "y"])],
            ...more
          }
        },
        {
          type: "collected_records_comment_create",
          config: {
            record_collection: { kind: "variable", source: "action", action_type: "record_collection" },
            comment_content: ["Hi"],
            ...more
          }
        },
        { type: "current_record_delete", config: more }
      ]
      const app = yield* App
      const switchesOf = Effect.fnUntraced(function* (more: object) {
        yield* sql`DELETE FROM appended`
        completed(yield* runSteps(world, order1, steps(more)))
        const rows = yield* sql<{ type: string; hook: boolean; workflow: boolean; silent: boolean }>`
          SELECT type, hook, workflow, silent FROM appended WHERE type LIKE 'record.%' OR type LIKE 'comment.%'
          ORDER BY event_id`
        yield* app.call("POST", `/v1/record/${order1}/restore?workflow=false`, { token: world.token })
        return rows
      })
      const types = [
        "record.create",
        "record.update",
        "comment.create",
        "record.update",
        "record.update",
        "comment.create",
        "record.delete"
      ]
      for (const [hook, workflow, silent] of [
        [true, true, false],
        [false, true, false],
        [true, false, false],
        [false, false, true]
      ] as const) {
        const rows = yield* switchesOf({ trigger_webhooks: hook, trigger_other_flows: workflow, silent })
        assert.deepStrictEqual(
          rows,
          types.map((type) => ({ type, hook, workflow, silent }))
        )
      }
      const defaults = yield* switchesOf({})
      assert.deepStrictEqual(
        defaults,
        types.map((type) => ({ type, hook: true, workflow: true, silent: false }))
      )
      yield* ddl("DROP TRIGGER keep_event ON outbox")
      assert.isDefined(part)
    })
  )

  it.effect("current_record_restore takes a deleted record out of the trash, and later steps work on it (7.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* seedWorld
      const { appId, token } = world
      const trigger = { type: "record_deleted", config: {} }
      const touch = (text: string) => update(assignTo(ref(world, "name"), [text]))
      const id = yield* automate(token, appId, {
        trigger,
        actions: [
          { ...touch("in the trash"), continue_on_error: true },
          compute("name", ref(world, "name")),
          { type: "current_record_restore", config: { trigger_other_flows: false } },
          touch("back")
        ]
      })
      const record = yield* order(world, { name: "gone" })
      yield* app.call("DELETE", `/v1/record/${record}`, { token })
      const [run] = yield* runsOver(id)
      completed(run!)
      const steps = run!.logs.filter(({ type }: any) => type === "action")
      assert.deepStrictEqual(
        steps.map(({ status }: any) => status),
        ["failure", "success", "success", "success"],
        "field values stay readable, writes fail but the restore"
      )
      assert.deepStrictEqual(
        steps[0].messages.map(({ message }: any) => message),
        [`Record ${record} is in the trash.`]
      )
      const sql = yield* SqlClient.SqlClient
      const [variable] = yield* sql`SELECT value FROM run_variables WHERE run_id = ${run!.run_id}::bigint`
      assert.deepStrictEqual(variable, { value: "gone" })
      const { deleted_on, values } = yield* shown(token, record)
      assert.isNull(deleted_on ?? null)
      assert.strictEqual(values["name"][0].value, "back")
    })
  )

  it.effect("`set` with an empty value clears; `set_code` null clears, undefined leaves alone (7.7)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Old", amount: 4, mails: "a@example.com", due: "2026-01-01" })
      const run = yield* runSteps(world, id, [
        update(
          assignTo(ref(world, "name"), []),
          assignCode(ref(world, "amount"), ["undefined"]),
          assignCode(ref(world, "mails"), ["null"]),
          assignCode(ref(world, "due"), ["'2027-0' + (", ref(world, "amount"), " + 1) + '-03'"])
        )
      ])
      completed(run)
      const { values } = yield* shown(world.token, id)
      assert.isUndefined(values["name"])
      assert.isUndefined(values["mails"])
      assert.strictEqual(values["amount"][0].value, 4)
      assert.strictEqual(values["due"][0].start_date, "2027-05-03")
    })
  )

  it.effect(
    "record_create with match_field_ids updates the record that has the value, and creates where none has (11.2)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const name = ref(world, "name").field_id
        const app = yield* App
        const state = world.options["state"]![0]
        yield* app.call("PUT", `/v1/app/${world.appId}`, {
          token: world.token,
          body: { fields: [{ field_id: name, config: { label: "Name", unique: true } }] }
        })
        const id = yield* order(world, { name: "First", state })
        const make = (text: string, match = [name]) => ({
          type: "record_create",
          config: {
            app_id: world.appId,
            match_field_ids: match,
            field_assignments: [
              assignTo(ref(world, "name"), [text]),
              assignTo(ref(world, "state"), [ref(world, "state")])
            ],
            trigger_other_flows: false
          }
        })
        const run = yield* runSteps(world, id, [
          make("FIRST"),
          compute("made", created()),
          make("Second"),
          compute("other", created())
        ])
        completed(run)
        assert.strictEqual(run.variables["made"], id)
        assert.strictEqual((yield* shown(world.token, id)).values["name"][0].value, "FIRST")
        assert.notStrictEqual(run.variables["other"], id)
        // A field that is not unique is known before a run.
        const amount = ref(world, "amount").field_id
        const { json: creation } = yield* app.call("POST", `/v1/automation/app/${world.appId}`, {
          token: world.token,
          body: { name: "Unfit", trigger: { type: "record_created", config: {} }, actions: [make("x", [amount])] }
        })
        const refusal = yield* app.call("POST", `/v1/automation/${creation.automation.id}/manual-run`, {
          token: world.token,
          body: { record_id: id }
        })
        assert.strictEqual(refusal.status, 409)
        assert.deepStrictEqual(
          refusal.json.errors.map((error: any) => [error.code, error.field_id]),
          [["action_invalid", amount]]
        )
      })
  )

  it.effect("record_create publishes the created record; a missing required field is the step's error (7.6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const { options } = world
      const id = yield* order(world, { name: "First" })
      const make = (fields: ReadonlyArray<object>, more: object = {}) => ({
        type: "record_create",
        ...more,
        config: { app_id: world.appId, field_assignments: fields, trigger_other_flows: false }
      })
      const run = yield* runSteps(world, id, [
        make([
          assignTo(ref(world, "name"), ["Copy of ", ref(world, "name")]),
          assignTo(ref(world, "state"), [ref(world, "state")])
        ]),
        compute("made", created()),
        compute("title", "'x' + ", created({ property: "title" }))
      ])
      completed(run)
      const copy = yield* shown(world.token, run.variables["made"])
      assert.strictEqual(copy.values["name"][0].value, "Copy of First")
      assert.strictEqual(copy.values["state"][0].value.id, options["state"]![0])
      assert.strictEqual(copy.created_by.automation_id, run.automationId)
      assert.strictEqual(run.variables["title"], "xCopy of First")

      const failing = yield* runSteps(world, id, [make([])])
      assert.strictEqual(failing.status, "failed")
      assert.strictEqual(failing.failure_reason, "actions_failed")
      assert.match(failing.error_message!, /state: is required/)
      const goesOn = yield* runSteps(world, id, [
        make([], { continue_on_error: true }),
        compute("error", { kind: "variable", source: "global", global_type: "most_recent_error" })
      ])
      completed(goesOn)
      assert.match(goesOn.variables["error"], /required/)

      const dry = yield* runSteps(
        world,
        id,
        [make([assignTo(ref(world, "state"), [options["state"]![0]])]), compute("made", created())],
        { simulate: true }
      )
      completed(dry)
      assert.strictEqual(dry.variables["made"], 0)
      assert.strictEqual(dry.steps[0].status, "skipped")
      assert.match(dry.steps[0].messages.at(-1).message, /^Simulation:/)
    })
  )

  it.effect("authors: a user's id or reference; one without the right fails the step (7.6 M)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* seedWorld
      const id = yield* order(world, { owner: world.owner.userId })
      const as = (author_id: unknown) => ({
        type: "current_record_update",
        config: {
          field_assignments: [assignTo(ref(world, "name"), [`by ${JSON.stringify(author_id)}`])],
          author_id,
          trigger_other_flows: false
        }
      })
      completed(yield* runSteps(world, id, [as(ref(world, "owner"))]))
      const updatedRecord = yield* shown(world.token, id)
      assert.strictEqual(updatedRecord.last_modified_by.user_id, world.owner.userId)

      const invited = yield* app.call("POST", "/v1/org/user", {
        token: world.token,
        body: { email: `guest-${world.orgId}@example.com`, name: "Guest", role: "guest" }
      })
      assert.strictEqual(invited.status < 300, true, invited.text)
      const guest = invited.json.user_id ?? invited.json.user?.user_id
      const guestRun = yield* runSteps(world, id, [as(guest)])
      assert.strictEqual(guestRun.status, "failed")
      assert.match(guestRun.error_message!, /may not/)
    })
  )

  it.effect("delete, restore and the previous revision (7.6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "One" })
      const previous = ref(world, "name", { previous: true })
      const run = yield* runSteps(world, id, [
        { type: "current_record_restore", config: {} },
        update(assignTo(ref(world, "name"), ["Two"])),
        compute("before", previous),
        { type: "current_record_get_previous_revision", config: {} },
        compute("after", previous),
        { type: "current_record_delete", config: { trigger_other_flows: false } }
      ])
      completed(run)
      assert.match(run.steps[0].messages[0].message, /not in the trash/)
      assert.strictEqual(run.variables["before"], null)
      assert.strictEqual(run.variables["after"], "One")
      assert.isNotNull((yield* shown(world.token, id)).deleted_on)
    })
  )

  it.effect("previous revision of revision 0 is empty (7.6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "One" })
      const run = yield* runSteps(world, id, [
        { type: "current_record_get_previous_revision", config: {} },
        compute("after", ref(world, "name", { previous: true }))
      ])
      completed(run)
      assert.strictEqual(run.variables["after"], null)
    })
  )

  it.effect("comments: on the record, replies and deletion of the triggering one; empty text is an error (7.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* seedWorld
      const { token } = world
      const id = yield* order(world, { name: "Ship" })
      const comment = (comment_content: unknown) => ({
        type: "current_record_comment_create",
        config: { comment_content, trigger_other_flows: false }
      })
      completed(yield* runSteps(world, id, [comment(["About ", ref(world, "name")])]))
      const list = () => Effect.map(app.call("GET", `/v1/comment/record/${id}`, { token }), (it) => it.json.comments)
      assert.strictEqual((yield* list())[0].value, "About Ship")
      const empty = yield* runSteps(world, id, [comment([ref(world, "notes")])])
      assert.strictEqual(empty.status, "failed")

      const trigger = { type: "record_comment_or_reply_created", config: {} }
      const output = (trigger_type: string) => ({ kind: "variable", source: "trigger", trigger_type })
      const replied = yield* runSteps(
        world,
        id,
        [
          {
            type: "current_record_comment_or_reply_reply_create",
            config: { reply_content: ["Re: ", output("record_comment_or_reply_content")], trigger_other_flows: false }
          },
          compute("kind", output("record_comment_or_reply_entity_type"))
        ],
        { trigger }
      )
      completed(replied)
      assert.strictEqual(replied.variables["kind"], "comment")
      const [thread] = yield* list()
      assert.strictEqual(thread.reply_count, 1)
      const remove = { type: "current_record_comment_or_reply_delete", config: {} }
      const deletionRun = yield* runSteps(world, id, [remove, remove], { trigger })
      completed(deletionRun)
      assert.match(deletionRun.steps[1].messages[0].message, /gone already/)
    })
  )

  it.effect(
    "custom variables: one, several by label, a return is illegal; without definitions nothing is logged (7.7 rule 1)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const id = yield* order(world, { amount: 2 })
        const defs = ["Unit price", "b"].map((label) => ({ custom_type: "any", label }))
        const run = yield* runSteps(world, id, [
          { type: "custom_variable", config: { assignment_code: ["1 +"], custom_variable_defs: [] } },
          {
            type: "custom_variable",
            config: { assignment_code: ["({ 'var_unit_price': 3, b: [1, 'x'] })"], custom_variable_defs: defs }
          },
          compute("sum", "var_unit_price * ", ref(world, "amount")),
          compute("list", custom("b"), ".length")
        ])
        completed(run)
        assert.strictEqual(run.steps.length, 3)
        assert.deepInclude(run.variables, { "Unit price": 3, b: [1, "x"], sum: 6, list: 2 })
        const illegal = yield* runSteps(world, id, [compute("x", "return 1")])
        assert.strictEqual(illegal.status, "failed")
        assert.match(illegal.error_message!, /Illegal return/i)
      })
  )

  it.effect("scripts see the bound names of 8.2, never pasted text", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "'; throw 1 //", amount: 2, kind: "Small", tags: ["Red", "Blue"] })
      const run = yield* runSteps(world, id, [
        compute("text", ref(world, "name"), ".length"),
        compute(
          "record",
          "[current_record.title, current_record.fields.amount, current_record.fields.tags, current_record.fields.kind]"
        ),
        compute(
          "workflow",
          "[current_workflow_name, current_workflow_is_simulation, typeof current_workflow_id, trigger.type]"
        ),
        compute(
          "date",
          "[/^\\d{4}-\\d\\d-\\d\\d$/.test(current_date), current_datetime.length, current_time.length, previous_record]"
        ),
        compute("earlier", "var_text + 1")
      ])
      completed(run)
      assert.strictEqual(run.variables["text"], 13)
      assert.deepStrictEqual(run.variables["record"], ["'; throw 1 //", 2, ["Red", "Blue"], "Small"])
      assert.deepStrictEqual(run.variables["workflow"], ["Steps", false, "number", "record_created"])
      assert.deepStrictEqual(run.variables["date"], [true, 19, 8, null])
      assert.strictEqual(run.variables["earlier"], 14)
    })
  )

  it.effect("a conditional takes a branch by fields, metadata and scripts (service.md 2.7)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Big", amount: 12, due: "2026-04-01" })
      const branch = (label: string, condition: object) => ({
        type: "conditional",
        config: {
          condition,
          action_rows: [compute(label, "'then'")],
          else_action_rows: [compute(label, "'else'")]
        }
      })
      const run = yield* runSteps(world, id, [
        branch("number", where(ref(world, "amount"), "greater_than", { type: "number", number: ["10"] })),
        branch("text", where(ref(world, "name"), "is", { type: "text", text: ["big"] })),
        branch("folded", where(ref(world, "name"), "contains", { type: "text", text: ["big"] })),
        branch("date", where(ref(world, "due"), "is_before", { type: "date", date: { amount: "0" } })),
        branch("author", where(meta("created_by"), "is", { type: "ids", ids: [world.owner.userId] })),
        branch("script", { operator: "and", rows: [{ code: [ref(world, "amount"), " % 2 === 1"] }] }),
        branch("empty", where(ref(world, "name"), "is", { type: "text", text: [ref(world, "notes")] }))
      ])
      completed(run)
      assert.deepInclude(run.variables, {
        number: "then",
        text: "else",
        folded: "then",
        date: "then",
        author: "then",
        script: "else",
        empty: "then"
      })
    })
  )

  it.effect("a calculation over a related record's values in a template: defaults and properties (7.4)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, {
        name: "Ord",
        amount: 2.5,
        due: "2026-07-01 10:00",
        tags: ["Red", "Blue"],
        owner: world.owner.userId,
        mails: ["a@example.com", "b@example.com"],
        list: ["one", "two"]
      })
      const it1 = yield* item(world, { title: "Bolt", pieces: 3, order: id })
      const relation = { ...ref(world, "name"), field_id: world.items.fields["order"], field_type: "single_relation" }
      const title = { ...ref(world, "name"), field_id: world.items.fields["title"], field_type: "single_text" }
      const run = yield* runSteps(
        world,
        it1,
        [
          {
            type: "current_record_comment_create",
            config: {
              comment_content: [title, " of ", relation, " / ", { ...relation, property: "record_url" }],
              trigger_other_flows: false
            }
          },
          compute("id", relation)
        ],
        { appId: world.items.appId }
      )
      completed(run)
      assert.strictEqual(run.variables["id"], id)
      assert.match(run.steps[0].detail.inputs.comment_content, /^Bolt of Ord \/ http.*\/record\/\d+$/)
      const texts = yield* runSteps(
        world,
        id,
        [
          {
            type: "current_record_comment_create",
            config: {
              comment_content: [
                ref(world, "amount", { property: "formatted" }),
                "|",
                ref(world, "due"),
                "|",
                ref(world, "due", { property: "start_utc" }),
                "|",
                ref(world, "due", { property: "formatted" }),
                "|",
                ref(world, "tags"),
                "|",
                ref(world, "mails"),
                "|",
                ref(world, "list"),
                "|",
                ref(world, "number", { property: "formatted" }),
                "|",
                {
                  kind: "value",
                  value_type: "option",
                  field_id: world.fields["kind"],
                  option_id: world.options["kind"]![1]
                }
              ],
              trigger_other_flows: false
            }
          },
          compute(
            "codes",
            "[",
            ref(world, "due"),
            ",",
            ref(world, "mails"),
            ",",
            ref(world, "tags"),
            ",",
            ref(world, "list"),
            ".length]"
          )
        ],
        { timezone: "Europe/Vienna" }
      )
      completed(texts)
      const { app_record_id } = yield* shown(world.token, id)
      assert.strictEqual(
        texts.steps[0].detail.inputs.comment_content,
        [
          "2.50 kg",
          "2026-07-01 12:00:00",
          "2026-07-01 10:00:00",
          "Wednesday, 1. July 2026 12:00",
          "Red, Blue",
          "a@example.com, b@example.com",
          "one\ntwo",
          `N-${String(app_record_id).padStart(3, "0")}`,
          "Large"
        ].join("|")
      )
      assert.deepStrictEqual(texts.variables["codes"], ["2026-07-01 10:00:00", "a@example.com", ["Red", "Blue"], 2])
    })
  )

  it.effect(
    "delay_until takes dates and relative dates, the past goes on at once; exit success ends the run (7.6)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const { appId, token } = world
        const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
        const id = yield* order(world, { due: day })
        const until = (delay_until: unknown) => ({ type: "delay", config: { delay_until } })
        const hours = (operator: string) => ({
          base: { kind: "variable", source: "global", global_type: "current_datetime" },
          operator,
          unit: "hour",
          amount: ["3"]
        })
        const past = yield* runSteps(world, id, [
          until(["2020-01-31 10:00"]),
          until(hours("minus")),
          until([ref(world, "stay")]),
          compute("after", "1"),
          {
            type: "conditional",
            config: { condition: null, action_rows: [{ type: "exit", config: { exit_type: "success" } }] }
          },
          compute("never", "1")
        ])
        completed(past)
        assert.deepStrictEqual(past.variables, { after: 1 })
        assert.isNull(past.failure_reason)
        const delayMessages = ({ steps }: typeof past) => steps.map(({ messages }: any) => messages[0]?.message)
        const [gone, , empty] = delayMessages(past)
        assert.deepStrictEqual(
          [gone, empty],
          ["2020-01-31T10:00:00.000Z is past.", "There is no date to wait for."],
          "the log does not say that it waited where it went on at once"
        )
        const simulated = yield* runSteps(world, id, [until([`${day} 06:30`]), until(["2020-01-31 10:00"])], {
          simulate: true
        })
        assert.deepStrictEqual(delayMessages(simulated), [
          `Simulation: it would wait until ${day}T06:30:00.000Z.`,
          "2020-01-31T10:00:00.000Z is past."
        ])

        const app = yield* App
        const waitFor = Effect.fnUntraced(function* (delay_until: unknown) {
          const automation = yield* automate(token, appId, {
            trigger: { type: "automation_called", config: {} },
            timezone: "Asia/Kathmandu",
            actions: [until(delay_until)]
          })
          const from = Date.now()
          yield* app.call("POST", `/v1/automation/${automation}/trigger`, { token, body: { trigger_on_record_id: id } })
          const [run] = yield* eventually("it waits", runsOf(automation), (rows) => rows[0]?.wait_until != null)
          yield* app.call("DELETE", `/v1/automation/${automation}`, { token })
          return { from, at: run!.wait_until!.getTime() }
        })
        const midnight = Date.parse(`${day}T00:00:00+05:45`)
        assert.strictEqual((yield* waitFor([ref(world, "due")])).at, midnight, "a day begins in the automation's zone")
        const timedWait = yield* waitFor([day, " 06:30"])
        assert.strictEqual(timedWait.at, midnight + 6.5 * 3_600_000)
        const relative = yield* waitFor(hours("plus"))
        assert.closeTo(relative.at - relative.from, 3 * 3_600_000, 60_000)
        const year = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 16).replace("T", " ")
        assert.strictEqual((yield* waitFor([`${year} Z`])).at, Date.parse(`${year}Z`))
      })
  )

  it.effect("a delay that ends after its run's 400 days fails at once, and may be gone past (7.6, 7.11 rule 6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, {})
      const until = { type: "delay", config: { delay_until: ["2062-01-01"] } }
      const failed = yield* runSteps(world, id, [until, compute("never", "1")])
      assert.strictEqual(failed.status, "failed")
      assert.include(
        JSON.stringify(failed),
        "A run lives at most 400 days; this delay would wait until 2062-01-01 00:00:00"
      )
      assert.deepStrictEqual(failed.variables, {})
      const past = yield* runSteps(world, id, [{ ...until, continue_on_error: true }, compute("after", "1")])
      completed(past)
      assert.deepStrictEqual(past.variables, { after: 1 })
    })
  )
})
