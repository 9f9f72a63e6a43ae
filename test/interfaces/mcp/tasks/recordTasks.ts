// Tasks about records, apps, views and people.
import { assert } from "@effect/vitest"
import { appOf, byNumber, call, fieldOf, optionOf, task, valueOf } from "./PlainTask.ts"

const inBooks = ([apps]: ReadonlyArray<any>) => ({ app_id: appOf(apps, "Books") })
const book = (number: number) => call("search_records", (seen) => ({ ...inBooks(seen), filters: byNumber(number) }))
const firstRecord = (page: any) => page.records[0]
const lost = (app: any) => {
  const state = fieldOf(app, "State")
  return [{ field_id: state.field_id, type: "status", match_type: "any", values: [{ value: optionOf(state, "Lost") }] }]
}

export const recordTasks = [
  task("Who am I here, and in which organization?", [call("who_am_i")], ([me]) => {
    assert.strictEqual(me.organization.name, "Harbor Works")
  }),
  task("What does a book hold?", [call("list_apps"), call("describe_app", inBooks)], ([, app]) => {
    assert.deepStrictEqual(
      app.fields.map((one: any) => one.label),
      ["Title", "Pages", "State", "Borrower", "Notes"]
    )
  }),
  task(
    "Which books have more than 500 pages?",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("search_records", (seen) => ({
        ...inBooks(seen),
        filters: [
          {
            field_id: fieldOf(seen[1], "Pages").field_id,
            type: "number",
            match_type: "larger",
            values: [{ value: 500 }]
          }
        ]
      }))
    ],
    ([, , page]) => assert.deepStrictEqual([page.total, page.records[0].title], [1, "Volume 12"])
  ),
  task(
    "Add the book Emma with 474 pages.",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("create_record", (seen) => ({ ...inBooks(seen), fields: { title: "Emma", pages: 474, state: "In" } }))
    ],
    ([, , made]) => {
      assert.isNumber(made.record_id)
      assert.match(made.record_url, /^http/)
    }
  ),
  task(
    "Add these three: Persuasion, Sanditon, Lady Susan.",
    [
      call("list_apps"),
      call("create_records", (seen) => ({
        ...inBooks(seen),
        inputs: ["Persuasion", "Sanditon", "Lady Susan"].map((title) => ({ fields: { title, state: "In" } }))
      }))
    ],
    ([, made]) => assert.strictEqual(made.records.length, 3)
  ),
  task(
    "Mark book 5 as lost.",
    [
      call("list_apps"),
      book(5),
      call("update_record", ([, page]) => ({ record_id: firstRecord(page).record_id, fields: { state: "Lost" } }))
    ],
    ([, , record]) => assert.strictEqual(valueOf(record, "state").text, "Lost")
  ),
  task(
    "Who changed book 5, and what?",
    [
      call("list_apps"),
      book(5),
      call("list_record_revisions", ([, page]) => ({ record_id: firstRecord(page).record_id })),
      call("read_record_change", ([, page, history]) => ({
        record_id: firstRecord(page).record_id,
        revision: history.revisions[0].revision
      }))
    ],
    ([, , history, change]) => {
      assert.isString(history.revisions[0].created_by.name)
      assert.deepStrictEqual(
        change.revision_deltas.map((one: any) => [one.label, one.from[0].value.text, one.to[0].value.text]),
        [["State", "In", "Lost"]]
      )
    }
  ),
  task(
    "I deleted a book by mistake, bring it back.",
    [
      call("list_apps"),
      call("list_deleted_records", inBooks),
      call("restore_record", ([, trash]) => ({ record_id: trash.records[0].record_id }))
    ],
    ([, , record]) => assert.deepStrictEqual([record.title, record.deleted_on], ["Volume 9", null])
  ),
  task(
    "Throw away all books that are lost.",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("search_records", (seen) => ({ ...inBooks(seen), filters: lost(seen[1]) })),
      call("delete_records", (seen) => ({
        ...inBooks(seen),
        record_ids: seen[2].records.map((one: any) => one.record_id)
      }))
    ],
    ([, , page, gone]) => assert.deepStrictEqual([page.total, gone.record_ids.length], [3, 3])
  ),
  task(
    "Note on book 3 that its cover is torn.",
    [
      call("list_apps"),
      book(3),
      call("create_comment", ([, page]) => ({ record_id: firstRecord(page).record_id, value: "The cover is torn." }))
    ],
    ([, , comment]) => assert.isNumber(comment.comment_id)
  ),
  task(
    "Which loans are there of book 1?",
    [
      call("list_apps"),
      book(1),
      call("list_related_records", ([apps, page]) => ({
        app_id: appOf(apps, "Books"),
        ref_app_id: appOf(apps, "Loans"),
        record_ids: [firstRecord(page).record_id],
        direction: "reverse"
      }))
    ],
    ([, , loans]) => assert.strictEqual(loans.total, 1)
  ),
  task(
    "Keep a list of the lost books, and show it.",
    [
      call("list_apps"),
      call("describe_app", inBooks),
      call("create_view", (seen) => ({
        ...inBooks(seen),
        name: "Lost",
        layout: "table",
        filters: lost(seen[1])
      })),
      call("list_view_records", ([, , { view }]) => ({ view_id: view.view_id }))
    ],
    ([, , , page]) => assert.strictEqual(page.total, 0)
  ),
  task(
    "Lend book 2 to Mira Jansen.",
    [
      call("list_users"),
      call("list_apps"),
      call("search_records", ([, apps]) => ({ app_id: appOf(apps, "Books"), filters: byNumber(2) })),
      call("update_record", ([{ users }, , page]) => ({
        record_id: firstRecord(page).record_id,
        fields: { state: "Out", borrower: users.find((one: any) => one.name === "Mira Jansen").user_id }
      }))
    ],
    ([, , , record]) => assert.strictEqual(valueOf(record, "state").text, "Out")
  ),
  task(
    "Make an app for our members, with their name and since when.",
    [
      call("list_workspaces"),
      call("create_app", ([{ workspaces }]) => ({
        workspace_id: workspaces[0].workspace_id,
        name: "Members",
        item_name: "Member",
        fields: [
          { field_type: "single_text", config: { label: "Name", required: true } },
          { field_type: "single_date", config: { label: "Since" } }
        ]
      }))
    ],
    ([, app]) =>
      assert.deepStrictEqual(
        app.fields.map((one: any) => one.external_id),
        ["name", "since"]
      )
  ),
  task(
    "Give books a field for the shelf.",
    [
      call("list_apps"),
      call("update_app", (seen) => ({
        ...inBooks(seen),
        fields: [{ field_type: "single_text", config: { label: "Shelf" } }]
      }))
    ],
    ([, app]) => assert.strictEqual(fieldOf(app, "Shelf").external_id, "shelf")
  ),
  task(
    "How many pages has volume 99?",
    [
      call("read_record", () => ({ record_id: 99_000_000 }), /^record_not_exists: .*search_records/s),
      call("list_apps"),
      call("search_records", ([, apps]) => ({ app_id: appOf(apps, "Books"), filters: byNumber(99) }))
    ],
    ([, , page]) => assert.strictEqual(page.total, 0)
  )
]
