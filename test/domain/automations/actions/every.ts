// Each of the 35 types twice, as it works and as it fails at run time, and what the log says of it (developer-api.md 7.6, 7.11 rules 3
// and 4). The steps of a run stand in the order of the table.
import type { ActionType } from "../../../../src/domain/automations/actions/registry.ts"
import { assignCode, assignTo, collection, compute, itemRef, ref, type World, where } from "./support.ts"

/** What the log says: nothing for `unlogged`. */
type Told = "success" | "skipped" | "unlogged"

export interface Entry {
  readonly type: ActionType
  readonly works: object
  /** Valid as a definition; null where a valid one cannot fail. */
  readonly fails: object | null
  readonly message?: RegExp
  readonly simulated: Told
  /** In a run that works; `success` unless said otherwise. */
  readonly told?: Told
  /** Leaf actions cost one, steps over a collection one per record: there are two items and one order. */
  readonly credits?: number
}

export interface Around {
  /** Called and clicked automations of the app. */
  readonly called: number
  readonly clicked: number
  readonly view: number
  readonly provider: number
  readonly guest: number
  /** Of a receiver: `/fine` answers 200, `/missing` 404. */
  readonly origin: string
}

const any = (label: string) => ({ custom_type: "any", label })

export const everyAction = (world: World, around: Around): ReadonlyArray<Entry> => {
  const { appId, items } = world
  const quietly = { trigger_other_flows: false }
  const ofItems = { record_collection: collection(items.appId) }
  const ofOrders = { record_collection: collection(appId) }
  const throws = { operator: "and", rows: [{ code: ["nothing.there"] }] }
  const undefinedName = /nothing is not defined/
  const asGuest = { ...quietly, author_id: around.guest }
  const mayNot = /may not do this/
  const notANumber = (variable_def: object) => ({
    ...quietly,
    field_assignments: [assignCode(variable_def, ["'many'"])]
  })
  const bad = { assignment_type: "set_code", code: ["nothing.there"], variable_def: any("in") }
  const reach = (direction: string, more: object = {}) => ({
    ref_collection_defs: [{ direction, match_type: "all", ...more }]
  })
  const filtered = { match_type: "filtered", match_condition: throws }
  const get = (path: string, more: object = {}) => ({
    http_call_type: "get",
    http_call_url: [around.origin + path],
    ...more
  })
  const withProvider = { authentication_provider_id: around.provider }
  return [
    {
      type: "collect_app_records",
      works: { app_id: items.appId },
      fails: { app_id: items.appId, match_condition: throws },
      message: undefinedName,
      simulated: "success"
    },
    {
      type: "collect_referenced_records",
      works: reach("incoming"),
      fails: reach("incoming", filtered),
      message: undefinedName,
      simulated: "success"
    },
    {
      type: "collected_records_collect_referenced_records",
      works: { ...ofItems, ...reach("outgoing") },
      fails: { ...ofItems, ...reach("outgoing", filtered) },
      message: undefinedName,
      simulated: "unlogged",
      told: "unlogged"
    },
    {
      type: "collect_app_view_records",
      works: { app_id: appId, app_view_id: around.view },
      fails: { app_id: appId, app_view_id: 999_999_999 },
      message: /no view/,
      simulated: "success"
    },
    {
      type: "filter_record_collection",
      works: { ...ofItems, match_condition: where(itemRef(world, "title"), "is_not_empty") },
      fails: { ...ofItems, match_condition: throws },
      message: undefinedName,
      simulated: "success"
    },
    {
      type: "sort_record_collection",
      works: {
        ...ofItems,
        sorts: [{ variable_def: itemRef(world, "title", { collection: true }), direction: "desc" }]
      },
      fails: null,
      simulated: "success"
    },
    {
      type: "rollup_iterable_values",
      works: { rollup_type: "count_all", rollup_variable_def: itemRef(world, "title", { collection: true }) },
      fails: null,
      simulated: "success"
    },
    {
      type: "custom_code",
      works: { code: ["return 1"], custom_variable_defs: [any("code")] },
      fails: { code: ["nothing.there"] },
      message: undefinedName,
      simulated: "success"
    },
    {
      type: "custom_variable",
      works: compute("value", "1").config,
      fails: compute("value", "nothing.there").config,
      message: undefinedName,
      simulated: "success"
    },
    {
      type: "record_create",
      works: { ...quietly, app_id: items.appId, field_assignments: [assignTo(itemRef(world, "title"), ["made"])] },
      fails: { ...quietly, app_id: appId },
      message: /required/,
      simulated: "skipped"
    },
    {
      type: "current_record_update",
      works: { ...quietly, field_assignments: [assignTo(ref(world, "name"), ["changed"])] },
      fails: notANumber(ref(world, "amount")),
      message: /must be a number/,
      simulated: "skipped"
    },
    { type: "current_record_delete", works: quietly, fails: asGuest, message: mayNot, simulated: "skipped" },
    // In a simulation it is not in the trash.
    { type: "current_record_restore", works: quietly, fails: asGuest, message: mayNot, simulated: "success" },
    { type: "current_record_get_previous_revision", works: {}, fails: null, simulated: "success" },
    {
      type: "current_record_comment_create",
      works: { ...quietly, comment_content: ["Hi"] },
      fails: { ...quietly, comment_content: [ref(world, "notes")] },
      simulated: "skipped"
    },
    {
      type: "collected_records_update",
      works: { ...quietly, ...ofItems, field_assignments: [assignTo(itemRef(world, "pieces"), ["7"])] },
      fails: { ...ofItems, ...notANumber(itemRef(world, "pieces")) },
      message: /2 of 2 records failed/,
      simulated: "skipped",
      credits: 2
    },
    {
      type: "referenced_records_update",
      works: { ...quietly, field_assignments: [assignTo(itemRef(world, "pieces"), ["8"])], app_id: items.appId },
      fails: { ...notANumber(itemRef(world, "pieces")), app_id: items.appId },
      message: /2 of 2 records failed/,
      simulated: "skipped",
      credits: 2
    },
    {
      type: "collected_records_comment_create",
      works: { ...quietly, ...ofItems, comment_content: ["Hi"] },
      fails: { ...quietly, ...ofItems, comment_content: [ref(world, "notes")] },
      message: /2 of 2 records failed/,
      simulated: "skipped",
      credits: 2
    },
    {
      type: "current_record_call_automation",
      works: { automation_id: around.called },
      fails: { automation_id: around.called, call_arguments: [bad] },
      message: undefinedName,
      simulated: "skipped"
    },
    {
      type: "collected_records_call_automation",
      works: { ...ofOrders, automation_id: around.called },
      fails: { ...ofOrders, automation_id: around.called, call_arguments: [bad] },
      message: /records? failed/,
      simulated: "skipped",
      credits: 1
    },
    {
      type: "current_record_generate_automation_weblink",
      works: { automation_id: around.clicked },
      fails: { automation_id: around.clicked, call_arguments: [bad] },
      message: undefinedName,
      simulated: "skipped"
    },
    { type: "display_webpage", works: { webpage_body: ["<p>Done</p>"] }, fails: null, simulated: "success" },
    {
      type: "redirect_user",
      works: { redirect_url: ["https://example.com/"] },
      fails: { redirect_url: ["ftp://example.com/"] },
      message: /no http or https/,
      simulated: "success"
    },
    {
      type: "send_email",
      works: { to_address: ["one@example.com"], subject: ["Every"] },
      fails: { to_address: ["nobody"], subject: ["Every"] },
      message: /recipient/,
      simulated: "skipped"
    },
    {
      type: "collected_records_send_email",
      works: { ...ofItems, to_address: ["one@example.com"], subject: ["Every"] },
      fails: { ...ofItems, to_address: ["nobody"], subject: ["Every"] },
      message: /2 of 2 records failed/,
      simulated: "skipped",
      credits: 2
    },
    {
      type: "create_pdf",
      works: { pdf_body: ["<p>Hi</p>"] },
      fails: { page_size: "custom_size", page_custom_width: ["'wide'"] },
      message: /page_custom_width/,
      simulated: "skipped"
    },
    {
      type: "http_call",
      works: get("/fine", { http_call_type: "post" }),
      fails: get("/missing"),
      message: /404/,
      simulated: "skipped"
    },
    {
      type: "authenticated_http_call",
      works: get("/fine", withProvider),
      fails: get("/missing", withProvider),
      message: /404/,
      simulated: "skipped"
    },
    {
      type: "delay",
      works: { delay_ms: 1000 },
      fails: { delay_until: ["some day"] },
      message: /date/,
      simulated: "success"
    },
    {
      type: "conditional",
      works: { condition: null, action_rows: [] },
      fails: { condition: throws, action_rows: [] },
      message: undefinedName,
      simulated: "unlogged",
      told: "unlogged",
      credits: 0
    },
    {
      type: "for_loop",
      works: { iterable: collection(items.appId), action_rows: [] },
      fails: { iterable: ref(world, "name"), action_rows: [] },
      message: /cannot be iterated/,
      simulated: "unlogged",
      told: "unlogged",
      credits: 0
    },
    { type: "clear_record_collection", works: ofItems, fails: null, simulated: "success" },
    { type: "exit", works: { exit_type: "success" }, fails: null, simulated: "success" }
  ]
}

/** The two that a comment has to trigger; the last one takes it away. */
export const everyCommentAction = (world: World, around: Around): ReadonlyArray<Entry> => {
  const quietly = { trigger_other_flows: false }
  const reply = "current_record_comment_or_reply_reply_create"
  return [
    {
      type: reply,
      works: { ...quietly, reply_content: ["Re"] },
      fails: { ...quietly, reply_content: [ref(world, "notes")] },
      simulated: "skipped"
    },
    {
      type: "current_record_comment_or_reply_delete",
      works: quietly,
      fails: { ...quietly, author_id: around.guest },
      message: /may not do this/,
      simulated: "skipped"
    }
  ]
}

const mostRecentError = { kind: "variable", source: "global", global_type: "most_recent_error" }
export const step = ({ type }: Entry, config: object, more: object = {}) => ({ type, ...more, config })
export const reads = (label: string) => compute(label, mostRecentError)
