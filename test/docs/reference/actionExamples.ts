// One example of each action type with what the catalogue does not say of it: developer-api.md 7.6 and 7.7, service.md 2.7.

import type { ActionType } from "../../../src/domain/automations/actions/registry.ts"
import { COLLECTED_AT_MOST } from "../../../src/domain/automations/actions/shared/Collections.ts"
import { MAX_DEPTH } from "../../../src/domain/automations/firing/firing.ts"
import { CUSTOMERS, collected, fieldRef, ORDERS, recordCollection } from "./world.ts"

const most = COLLECTED_AT_MOST.toLocaleString("en-US")

export interface ActionWords {
  readonly config: object
  /** What it does beyond the description of the catalogue. */
  readonly about?: string
  /** Publishes this instead of, or beside, what its spec declares. */
  readonly publishes?: string
  /** Mistakes of its own that `validate` reports, besides those that its spec declares. */
  readonly refused?: string
  /** Faults of a run that fail the step; null where a valid step cannot fail of its own. */
  readonly fails: string | null
}

const reference = fieldRef(4401)
const weight = fieldRef(4405)
const customerMail = collected(4502)
const named = (label: string, custom_type = "any") => ({ custom_type, label })
const assign = (variable_def: ReturnType<typeof fieldRef>, field_value: unknown) => ({
  field_type: variable_def.field_type,
  variable_def,
  assignment_type: "set",
  field_value
})
const assignCode = (variable_def: ReturnType<typeof fieldRef>, code: ReadonlyArray<unknown>) => ({
  field_type: variable_def.field_type,
  variable_def,
  assignment_type: "set_code",
  code
})
const where = (subject: object, operator: string, value?: object) => ({
  operator: "and",
  rows: [{ subject, operator, ...(value === undefined ? {} : { value }) }]
})
const isHeavy = where(weight, "greater_than", { type: "number", number: ["300"] })
const reason = { variable_def: named("Reason"), value: ["Heavy: ", weight, " kg"] }

const noRight = "the automation's owner, or the author that `author_id` names, may not do this in the app"
const badValue = "a value does not fit its field, or a required field would be empty"
const script = "the script throws, or exceeds its time or memory"
const oneByOne = "Each record is tried; the step fails at its end where one of them failed."
const mailFault =
  "no recipient has a valid address, the attachments are larger than 20 MB in total, the quota of mails is used up, or the mail server refuses the mail"
const requestFault =
  "the server answers with status 400 or above, does not answer in time, answers at too great a length, or has a private address"

export const actionWords: Readonly<Record<ActionType, ActionWords>> = {
  custom_code: {
    about:
      "`return` gives the value of the first variable; the others are assigned by their names, `var_` and the label. " +
      "[Scripts](scripts.md) lists names, libraries and limits.",
    config: {
      code: ["return { weight: ", weight, " / 1000 }"],
      custom_variable_defs: [named("Tons")]
    },
    fails: script
  },
  custom_variable: {
    about:
      "One variable takes the value. Several take the properties of an object: each the one that is called like its label.",
    config: { assignment_code: ["Math.ceil(", weight, " / 25)"], custom_variable_defs: [named("Parcels")] },
    publishes: "The variables of `custom_variable_defs`. Without any the step does nothing, and logs nothing.",
    fails: script
  },
  record_create: {
    about:
      "With `match_field_ids` it is an upsert: the record that has one of the values is updated, and created where none has.",
    config: {
      app_id: CUSTOMERS,
      match_field_ids: [4502],
      field_assignments: [
        assign(fieldRef(4501), ["Customer of ", reference]),
        assign(fieldRef(4502), [{ value: ["a@example.com"] }])
      ]
    },
    refused: "a field of `match_field_ids` is not unique, or is of another app",
    fails: `${badValue}; ${noRight}`
  },
  current_record_update: {
    about: "[Field types](fields.md) shows an assignment for each type.",
    config: { field_assignments: [assign(fieldRef(4402), [52]), assignCode(weight, [weight, " * 2"])] },
    fails: `${badValue}; the record is in the trash; ${noRight}`
  },
  current_record_delete: { config: { trigger_webhooks: false }, fails: noRight },
  current_record_restore: {
    about: "A record that is not in the trash is logged, and nothing else happens.",
    config: { author_id: 12 },
    fails: noRight
  },
  current_record_get_previous_revision: {
    about: "It takes no config.",
    config: {},
    publishes:
      "References with `previous: true` read the revision before the current one. At revision 0 they are empty.",
    fails: null
  },
  current_record_comment_create: {
    config: { comment_content: ["Weighed: ", weight, " kg"], silent: true },
    fails: `the text is empty; ${noRight}`
  },
  current_record_comment_or_reply_reply_create: {
    config: { reply_content: ["Noted for ", reference] },
    fails: `the text is empty; the comment is gone; ${noRight}`
  },
  current_record_comment_or_reply_delete: {
    about: "A comment that is already gone is no error.",
    config: { author_id: 12 },
    fails: noRight
  },
  collect_app_records: {
    about: `It collects ${most} records at most, whatever \`limit\` says.`,
    config: {
      app_id: CUSTOMERS,
      match_condition: where(collected(4503), "greater_than", { type: "number", number: ["10"] }),
      limit: 100,
      limit_enabled: true
    },
    fails: "the automation's owner does not see the app; a script of the condition throws"
  },
  collect_app_view_records: {
    about: `Filters and sort are those of the view. It collects ${most} records at most, whatever \`limit\` says.`,
    config: { app_id: ORDERS, app_view_id: 31, limit: 20, limit_enabled: true },
    fails: "the app has no such view; the automation's owner does not see the app"
  },
  collect_referenced_records: {
    about: "Records that are reached twice are collected once. Each app gets a collection of its own.",
    config: {
      ref_collection_defs: [{ direction: "outgoing", match_type: "all", app_id: CUSTOMERS, via_field_ids: [4404] }]
    },
    fails: "the run has no record; a script of a condition throws"
  },
  collected_records_collect_referenced_records: {
    about: "Records that are reached twice are collected once. A success leaves no entry in the log.",
    config: {
      record_collection: recordCollection,
      ref_collection_defs: [{ direction: "incoming", match_type: "all", app_id: ORDERS }]
    },
    fails: "a script of a condition throws"
  },
  filter_record_collection: {
    about: "The subject of a condition is the collected record.",
    config: { record_collection: recordCollection, match_condition: where(customerMail, "is_not_empty") },
    fails: "a script of the condition throws"
  },
  sort_record_collection: {
    about: "Earlier keys go first; records that are equal keep their order. Empty values stand last.",
    config: {
      record_collection: recordCollection,
      sorts: [
        { variable_def: collected(4503), direction: "desc" },
        { variable_def: collected(4501), direction: "asc" }
      ]
    },
    refused: "a key is no `field` or `meta` reference with `collection: true`",
    fails: null
  },
  clear_record_collection: { config: { record_collection: recordCollection }, fails: null },
  collected_records_update: {
    about: `Each record gets one revision. ${oneByOne}`,
    config: {
      record_collection: recordCollection,
      field_assignments: [assignCode(fieldRef(4503), [collected(4503), " + 1"])]
    },
    fails: `${badValue}; ${noRight}`
  },
  referenced_records_update: {
    about: `It takes relations in both directions, and ${most} records at most. ${oneByOne}`,
    config: { app_id: CUSTOMERS, field_assignments: [assign(fieldRef(4503), ["0"])] },
    refused: "no relation field connects `app_id` with the automation's app",
    fails: `the run has no record; ${badValue}; ${noRight}`
  },
  collected_records_comment_create: {
    about: oneByOne,
    config: { record_collection: recordCollection, comment_content: ["Thank you, ", collected(4501)] },
    fails: `the text is empty; ${noRight}`
  },
  rollup_iterable_values: {
    about:
      "Empty values count for `count_*` and `percent_*` alone. Without values the result is `null`, of `sum` it is 0. " +
      "`min` and `max` compare dates too. A percentage is 0 to 100.",
    config: { rollup_type: "sum", rollup_variable_def: collected(4503), custom_variable_def: named("All orders") },
    refused:
      "nothing is collected before it; `rollup_variable_def` reads no collection, or is missing where `rollup_type` needs it",
    fails: null
  },
  current_record_call_automation: {
    about: `The called run starts on the same record. A chain of runs ends at a depth of ${MAX_DEPTH}.`,
    config: { automation_id: 67, call_arguments: [reason], wait_for_result: true },
    fails: `the target is of another app; a script of an argument throws; with \`wait_for_result\`, the called run fails`
  },
  collected_records_call_automation: {
    about: `One run is started for each record of the target's app. ${oneByOne}`,
    config: { record_collection: recordCollection, automation_id: 67, call_arguments: [reason] },
    fails: `the target is of another app; a script of an argument throws; with \`wait_for_result\`, a called run fails`
  },
  current_record_generate_automation_weblink: {
    about: "Whoever has the address may click it, so the log hides it.",
    config: { automation_id: 68, weblink_expiration: "one_week", custom_variable_def: named("Confirm", "single_link") },
    fails: "the target is of another app; a script of an argument throws"
  },
  display_webpage: {
    about: "Several steps join their parts as `join_type` says.",
    config: { webpage_body: ["<h1>Thank you</h1><p>", reference, " is confirmed.</p>"], fullscreen: true },
    publishes: "The page that the click is answered with.",
    fails: "the page is too long"
  },
  redirect_user: {
    about: "A redirect wins over a page. The run goes on.",
    config: { redirect_url: ["https://shop.example.com/orders/", reference] },
    publishes: "The address that the click is answered with.",
    fails: "the value is no http or https address"
  },
  send_email: {
    about:
      "Entries that are no addresses are logged, and the others get the mail. Without `smtp_account_id` the default account sends it.",
    config: {
      to_address: ["sales@example.com"],
      subject: ["Order ", reference],
      message_body: ["<p>It weighs ", weight, " kg.</p>"],
      attach_files_variable_defs: [fieldRef(4406)]
    },
    fails: mailFault
  },
  collected_records_send_email: {
    about: oneByOne,
    config: {
      record_collection: recordCollection,
      to_address: [customerMail],
      subject: ["News for ", collected(4501)],
      message_body: ["<p>Have a look.</p>"]
    },
    fails: mailFault
  },
  create_pdf: {
    about:
      "Custom sizes and margins are millimetres. Scripts of the HTML do not run. Images come from the service or from public https addresses.",
    config: {
      filename: ["order-", reference],
      pdf_body: ["<h1>", reference, "</h1><p>", weight, " kg</p>"],
      page_orientation: "landscape",
      custom_variable_def: named("Delivery note", "single_file")
    },
    fails: "a size or margin is no number; printing takes too long or makes too many pages"
  },
  http_call: {
    about:
      "The first `any` variable gets `{ status, headers, data }`, with `data` parsed where it is JSON. The first file variable gets the body.",
    config: {
      http_call_type: "post",
      http_call_url: ["https://shop.example.com/orders"],
      http_call_headers: [
        { key: "Content-Type", value: ["application/json"] },
        { key: "X-Shop-Key", value: [{ kind: "variable", source: "secret", name: "shop_key" }] }
      ],
      http_call_body: ['{ "reference": "', reference, '" }'],
      custom_variable_defs: [named("Answer")]
    },
    refused: "body, form, files and login do not fit each other; a file is named that no step makes",
    fails: requestFault
  },
  authenticated_http_call: {
    about: "The provider's `Authorization` wins over a header entry. Without a valid provider the step is skipped.",
    config: {
      authentication_provider_id: 71,
      http_call_type: "get",
      http_call_url: ["https://api.example.com/contacts?q=", reference],
      custom_variable_defs: [named("Contacts")]
    },
    refused: "body, form and files do not fit each other; the workspace may not use the provider",
    fails: requestFault
  },
  delay: {
    about:
      "A delay survives restarts, holds no concurrency slot and costs nothing while it waits. An instant in the past goes on at once.",
    config: { delay_until: { base: fieldRef(4403), operator: "minus", unit: "day", amount: ["1"] } },
    refused: "neither `delay_ms` nor `delay_until` is set; both together are a 400 on write",
    fails: "`delay_until` gives no date"
  },
  exit: {
    about:
      "`success` ends the run as `completed`, `failure` as `failed` with `exit_on_purpose`. " +
      "`respond` answers the sender of a webhook now, and the run goes on.",
    config: { exit_type: "success" },
    refused: "`respond` needs the trigger `webhook_received` with `response_mode` `sync`",
    fails: null
  },
  for_loop: {
    about:
      "The iterable is read once, at the start; 1,000 items at most. A reference in the body that equals `iterable` is the current item. " +
      "`continue_condition` is tested before the body, `break_condition` after it. Loops nest three deep.",
    config: {
      iterable: recordCollection,
      action_rows: [
        { type: "collected_records_comment_create", config: { comment_content: ["Checked ", collected(4501)] } }
      ],
      break_condition: where(collected(4503), "is_empty")
    },
    fails: "`iterable` is no collection and no list; a script of a condition throws"
  },
  conditional: {
    about: "Without a condition the first branch runs.",
    config: {
      condition: isHeavy,
      action_rows: [{ type: "current_record_update", config: { field_assignments: [assign(fieldRef(4402), [51])] } }],
      else_action_rows: [{ type: "exit", config: { exit_type: "success" } }]
    },
    fails: "a script of the condition throws"
  }
}

/** Step before the examples that read a collection. */
export const collectStep = { type: "collect_app_records", config: actionWords.collect_app_records.config }
