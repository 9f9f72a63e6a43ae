// Tasks about automations and what became of them.
import { assert } from "@effect/vitest"
import { appOf, automationOf, byNumber, call, fieldOf, optionOf, task } from "./PlainTask.ts"

const inBooks = ([apps]: ReadonlyArray<any>) => ({ app_id: appOf(apps, "Books") })
const named = (name: string) => (seen: ReadonlyArray<any>) => ({ automation_id: automationOf(seen[0], name).id })
const assigned = (field: any, value: unknown) => ({
  field_type: field.field_type,
  variable_def: { kind: "variable", source: "field", field_id: field.field_id, field_type: field.field_type },
  assignment_type: "set",
  field_value: [value]
})
const ofPayload = (name: string) => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [name],
  data_type: "text"
})
/** The day of what was made just now, also shortly after midnight. */
const today = () => `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 10)} 00:00`

export const automationTasks = [
  task(
    "Which automations touched book 12 today, and why did one fail?",
    [
      call("list_apps"),
      call("search_records", (seen) => ({ ...inBooks(seen), filters: byNumber(12) })),
      call("list_runs", ([, page]) => ({ record_id: page.records[0].record_id, created_at_from: today() })),
      call("read_run", ([, , runs]) => ({
        run_id: runs.automation_runs.find((one: any) => one.status === "failed").id
      }))
    ],
    ([, , runs, { automation_run }]) => {
      const names = runs.automation_runs.map((one: any) => one.automation_name).sort()
      assert.deepStrictEqual(names, ["Lend", "Tidy"])
      assert.strictEqual(automation_run.automation_name, "Lend")
      assert.match(automation_run.error_message, /required/)
      const step = automation_run.logs.find((one: any) => one.status === "failure")
      assert.isString(step.action_id)
    }
  ),
  task(
    "Make a form that takes a title and adds the book.",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("list_trigger_types", () => ({ type: "webhook_received" })),
      call("list_action_types", () => ({ type: "record_create" })),
      call("create_automation", (seen) => ({
        ...inBooks(seen),
        name: "Form",
        trigger: { type: "webhook_received", config: {} },
        actions: [
          {
            type: "record_create",
            config: {
              ...inBooks(seen),
              field_assignments: [
                assigned(fieldOf(seen[1], "Title"), ofPayload("title")),
                assigned(fieldOf(seen[1], "State"), optionOf(fieldOf(seen[1], "State"), "In"))
              ]
            }
          }
        ]
      })),
      call("activate_automation", (seen) => ({ automation_id: seen[4].automation.id }))
    ],
    ([, , , , , { automation }]) => {
      assert.strictEqual(automation.status, "active")
      // Where the form posts to.
      assert.match(automation.trigger.config.webhook_url, /^http/)
    }
  ),
  task(
    "When a book is lost, write under it that the shelf has to be looked through.",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("list_filter_operators", () => ({ field_type: "status" })),
      call("create_automation", (seen) => {
        const state = fieldOf(seen[1], "State")
        const subject = { kind: "variable", source: "field", field_id: state.field_id, field_type: "status" }
        const row = { subject, operator: "is_any_of", value: { type: "ids", ids: [optionOf(state, "Lost")] } }
        return {
          ...inBooks(seen),
          name: "Search",
          trigger: { type: "record_updated", config: {} },
          filter: { operator: "and", rows: [row] },
          actions: [{ type: "current_record_comment_create", config: { comment_content: ["Look through the shelf."] } }]
        }
      }),
      call("validate_automation", (seen) => ({ automation_id: seen[3].automation.id })),
      call("activate_automation", (seen) => ({ automation_id: seen[3].automation.id }))
    ],
    ([, , , , validity, { automation }]) =>
      assert.deepStrictEqual([validity.valid, automation.status], [true, "active"])
  ),
  task(
    "Try Tidy on book 3 without changing anything.",
    [
      call("list_automations"),
      call("search_records", ([all]) => ({ app_id: automationOf(all, "Tidy").app_id, filters: byNumber(3) })),
      call("simulate_automation", (seen) => ({ ...named("Tidy")(seen), record_id: seen[1].records[0].record_id })),
      call("read_run", ([, , { run_id }]) => ({ run_id }))
    ],
    ([, , run, { automation_run }]) =>
      assert.deepStrictEqual([run.status, automation_run.type], ["completed", "simulation"])
  ),
  task(
    "Run Tidy on book 3 now.",
    [
      call("list_automations"),
      call("search_records", ([all]) => ({ app_id: automationOf(all, "Tidy").app_id, filters: byNumber(3) })),
      call("run_automation", (seen) => ({ ...named("Tidy")(seen), record_id: seen[1].records[0].record_id })),
      call("read_record", (seen) => ({ record_id: seen[1].records[0].record_id }))
    ],
    ([, , run, record]) => {
      assert.strictEqual(run.status, "completed")
      assert.strictEqual(record.fields.find((one: any) => one.external_id === "notes").values[0].value, "Tidy.")
    }
  ),
  task(
    "Run Picky on book 3.",
    [
      call("list_automations"),
      call("search_records", ([all]) => ({ app_id: automationOf(all, "Picky").app_id, filters: byNumber(3) })),
      call("run_automation", (seen) => ({ ...named("Picky")(seen), record_id: seen[1].records[0].record_id }))
    ],
    ([, , answer]) => {
      assert.match(answer.no_run, /filter does not match/)
      assert.notProperty(answer, "run_id")
    }
  ),
  task(
    "Stop what failed today, until I have looked at it.",
    [
      call("list_runs", () => ({ status: "failed", created_at_from: today() })),
      call("pause_automation", ([runs]) => ({ automation_id: runs.automation_runs[0].automation_id }))
    ],
    ([, { automation }]) => assert.deepStrictEqual([automation.name, automation.status], ["Lend", "paused"])
  ),
  task(
    "Try the run that failed once more.",
    [
      call("list_runs", () => ({ status: "failed" })),
      call("retry_run", ([runs]) => ({ run_id: runs.automation_runs[0].id }))
    ],
    ([, again]) => {
      assert.strictEqual(again.status, "failed")
      assert.include(again.next, "read_run")
    }
  ),
  task(
    "What has changed in Tidy, and take it back.",
    [
      call("list_automations"),
      call("list_automation_revisions", named("Tidy")),
      call("compare_automation_revisions", (seen) => ({
        ...named("Tidy")(seen),
        from_id: seen[1].revisions[1].id,
        to_id: seen[1].revisions[0].id
      })),
      call("restore_automation_revision", (seen) => ({ ...named("Tidy")(seen), revision_id: seen[1].revisions[1].id }))
    ],
    ([, , comparison, { automation }]) => {
      assert.include(JSON.stringify(comparison), "Untidy.")
      assert.include(JSON.stringify(automation.actions), "Untidy.")
    }
  ),
  task(
    "Which runs wait, and for what? Cancel them.",
    [
      call("list_runs", () => ({ status: "running", waiting: "delay" })),
      call("cancel_run", ([runs]) => ({ run_id: runs.automation_runs[0].id }))
    ],
    ([runs, { automation_run }]) => {
      assert.strictEqual(runs.automation_runs[0].waiting.why, "delay")
      assert.strictEqual(automation_run.automation_name, "Wait")
    }
  ),
  task(
    "Here is the file of an automation for Books. Would it do?",
    [
      call("import_automation", () => ({
        file: {
          ...{ portable: 2, key: "praise", app: { $app: "books" }, name: "Praise" },
          trigger: { type: "record_created", config: {} },
          actions: [
            { type: "current_record_comment_create", config: { comment_content: "{{ record.Title }} is here." } }
          ]
        },
        dry_run: true
      }))
    ],
    ([{ changes, missing }]) =>
      assert.deepStrictEqual({ changes, missing }, { changes: ['+ automation: "Praise"'], missing: [] })
  ),
  task(
    "Make a copy of Tidy that I can play with.",
    [
      call("list_automations"),
      call("duplicate_automation", (seen) => ({ ...named("Tidy")(seen), name: "Tidy, tried out" }))
    ],
    ([, { automation }]) => assert.deepStrictEqual([automation.name, automation.status], ["Tidy, tried out", "draft"])
  ),
  task(
    "Delete the copy of Tidy.",
    [call("list_automations"), call("delete_automation", named("Tidy, tried out"))],
    ([, { automation }]) => assert.strictEqual(automation.name, "Tidy, tried out")
  )
]
