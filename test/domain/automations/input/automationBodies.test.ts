// service.md 2.7, developer-api.md 1.5, 7.4 to 7.7: what a written definition becomes, and what is answered to mistakes.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  type ActionType,
  actionSpec,
  actionTypes,
  outsideTypes
} from "../../../../src/domain/automations/actions/registry.ts"
import { decodeCreate } from "../../../../src/domain/automations/input/automationBodies.ts"
import { readStored } from "../../../../src/domain/automations/input/storedDefinition.ts"
import type { triggers } from "../../../../src/domain/automations/triggers/registry.ts"

const decode = (body: object) => {
  let minted = 0
  return decodeCreate({ name: "x", ...body }, () => `minted-${++minted}`)
}
const accepted = (body: object): any => {
  const result = decode(body)
  if (Result.isFailure(result)) throw new Error(result.failure.message)
  return result.success
}
/** `[error code, message]`. */
const refusalOf = (body: object): readonly [string, string] => {
  const result = decode(body)
  if (Result.isSuccess(result)) throw new Error(`accepted: ${JSON.stringify(result.success)}`)
  return [result.failure._tag === "InputInvalid" ? "input_validation" : "validation", result.failure.message]
}
const field = (field_type: string, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id: 1,
  field_type,
  ...more
})
const kept = { previous: false, collection: false, triggering: false }
const group = { operator: "and", rows: [] }
const def = { custom_type: "any", label: "A" }
const collection = { kind: "variable", source: "action", action_type: "record_collection", app_id: 3 }
const M = { trigger_webhooks: true, trigger_other_flows: true, silent: false }
const mutation = { author_id: field("single_user"), trigger_webhooks: false, trigger_other_flows: false, silent: true }
const mail = {
  ...{ to_address: [], cc_address: [], bcc_address: [], reply_address: [], from_address: [], from_name: [] },
  ...{ subject: [], message_body: [], attach_files_variable_defs: [], attach_files_match_type: "all" },
  attach_files_match_condition: null
}
const request = { http_call_url: [], http_call_headers: [], http_call_body: [], http_call_follow_redirects: false }
const assignment = { field_type: "number", variable_def: field("number"), field_value: "1" }
const argument = { variable_def: def, value: "v" }
const word = { kind: "variable", source: "custom", ...def }
const pdf = Object.fromEntries([
  ...["filename", "page_custom_width", "page_custom_height", "page_custom_margin_top", "page_custom_margin_right"].map(
    (key) => [key, []]
  ),
  ...["page_custom_margin_bottom", "page_custom_margin_left", "pdf_header_custom_margin_top"].map((key) => [key, []]),
  ...["pdf_footer_custom_margin_bottom", "page_number_start", "pdf_header", "pdf_header_following_pages"].map((key) => [
    key,
    []
  ]),
  ...["pdf_footer", "pdf_footer_following_pages", "pdf_body"].map((key) => [key, []]),
  ...["page_numbers_enabled", "header_and_footer_enabled", "pdf_header_following_pages_enabled"].map((key) => [
    key,
    false
  ]),
  ...["pdf_footer_following_pages_enabled", "options_expanded", "pdf_header_expanded"].map((key) => [key, false]),
  ...["pdf_footer_expanded", "pdf_body_expanded"].map((key) => [key, false]),
  ...[
    ["page_size", "a4"],
    ["page_orientation", "portrait"],
    ["page_margins", "normal"],
    ["page_number_style", "decimal"]
  ],
  ["custom_variable_def", { custom_type: "single_file", label: "PDF" }]
])

interface Row {
  /** Smallest config, and what it reads as. */
  readonly minimal: object
  readonly reads: object
  /** Every key with a value of its own. */
  readonly full: object
  /** `[config, error code, end of the message's path, part of the message]`. */
  readonly mistakes?: ReadonlyArray<readonly [unknown, "input_validation" | "validation", RegExp]>
}
const stray = [{ nonsense: 1 }, "input_validation", /^actions\[0\]\.config\.nonsense: (unknown key|no keys)/] as const

const rows: Record<ActionType, Row> = {
  custom_code: {
    minimal: {},
    reads: { code: [], custom_variable_defs: [] },
    full: { code: ["return ", field("number")], custom_variable_defs: [def] },
    mistakes: [
      [{ code: 5 }, "input_validation", /config\.code: expected a string or an array, got a number$/],
      [{ code: [5] }, "input_validation", /config\.code\[0\]: /],
      [
        { custom_variable_defs: [{ label: "A" }] },
        "input_validation",
        /custom_variable_defs\[0\]\.custom_type: is required/
      ],
      [
        { custom_variable_defs: [{ custom_type: "file", label: "A" }] },
        "input_validation",
        /custom_type: "file" is not allowed here; allowed: "any"/
      ]
    ]
  },
  custom_variable: {
    minimal: { assignment_code: "1" },
    reads: { assignment_code: ["1"], custom_variable_defs: [] },
    full: { assignment_code: ["1"], custom_variable_defs: [def] },
    mistakes: [[{}, "input_validation", /config\.assignment_code: is required$/]]
  },
  record_create: {
    minimal: {},
    reads: { field_assignments: [], ...M },
    full: { app_id: 3, field_assignments: [assignment], ...mutation },
    mistakes: [
      [{ app_id: "3" }, "input_validation", /config\.app_id: expected a number, got a string$/],
      [{ app_id: 0 }, "input_validation", /config\.app_id: /],
      [{ silent: "yes" }, "input_validation", /config\.silent: expected a boolean/],
      [{ author_id: "me" }, "input_validation", /config\.author_id: /]
    ]
  },
  current_record_update: {
    minimal: {},
    reads: { field_assignments: [], ...M },
    full: { field_assignments: [assignment], ...mutation },
    mistakes: [
      [{ app_id: 3 }, "input_validation", /config\.app_id: unknown key/],
      [
        { field_assignments: [{ variable_def: field("number") }] },
        "input_validation",
        /field_assignments\[0\]\.field_type: is required/
      ],
      [
        { field_assignments: [{ field_type: "unique_id" }] },
        "input_validation",
        /field_type: "unique_id" is not allowed here/
      ],
      [{ field_assignments: [{ field_type: "number" }] }, "input_validation", /\[0\]\.variable_def: is required/],
      [
        { field_assignments: [{ ...assignment, assignment_type: "SET" }] },
        "input_validation",
        /assignment_type: "SET" .*did you mean "set"\?/
      ],
      [
        { field_assignments: [{ ...assignment, field_value: 5 }] },
        "input_validation",
        /field_value: expected a string or an array/
      ],
      [
        { field_assignments: [{ field_type: "status", variable_def: field("status"), field_value: [1, 2] }] },
        "input_validation",
        /field_value: .*at most 1/
      ]
    ]
  },
  current_record_delete: { minimal: {}, reads: M, full: mutation },
  current_record_restore: { minimal: {}, reads: M, full: mutation },
  current_record_get_previous_revision: {
    minimal: {},
    reads: {},
    full: {},
    mistakes: [[{ silent: true }, "input_validation", /config\.silent: no keys are allowed here$/]]
  },
  current_record_comment_create: {
    minimal: {},
    reads: { comment_content: [], ...M },
    full: { comment_content: ["a"], ...mutation }
  },
  current_record_comment_or_reply_reply_create: {
    minimal: {},
    reads: { reply_content: [], ...M },
    full: { reply_content: ["a"], ...mutation }
  },
  current_record_comment_or_reply_delete: { minimal: {}, reads: M, full: mutation },
  collect_app_records: {
    minimal: {},
    reads: { match_condition: null, limit: 1, limit_enabled: false },
    full: { app_id: 3, match_condition: group, limit: 5000, limit_enabled: true },
    mistakes: [
      [{ limit: 1.5 }, "input_validation", /config\.limit: /],
      [
        { match_condition: { operator: "nor", rows: [] } },
        "input_validation",
        /match_condition\.operator: "nor" .*did you mean "or"\?/
      ]
    ]
  },
  collect_app_view_records: {
    minimal: {},
    reads: { limit: 1, limit_enabled: false },
    full: { app_id: 3, app_view_id: 4, limit: 2, limit_enabled: true }
  },
  collect_referenced_records: {
    minimal: {},
    reads: { ref_collection_defs: [] },
    full: {
      ref_collection_defs: [
        { id: "r", direction: "both", match_type: "filtered", app_id: 3, via_field_ids: [1], match_condition: group }
      ]
    },
    mistakes: [
      [{ ref_collection_defs: [{ match_type: "all" }] }, "input_validation", /\[0\]\.direction: is required/],
      [{ ref_collection_defs: [{ direction: "incoming" }] }, "input_validation", /\[0\]\.match_type: is required/],
      [
        { ref_collection_defs: [{ direction: "Incoming", match_type: "all" }] },
        "input_validation",
        /did you mean "incoming"\?/
      ]
    ]
  },
  collected_records_collect_referenced_records: {
    minimal: {},
    reads: { ref_collection_defs: [] },
    full: {
      record_collection: collection,
      ref_collection_defs: [{ id: "", direction: "incoming", match_type: "all", match_condition: null }]
    }
  },
  filter_record_collection: {
    minimal: {},
    reads: { match_condition: null },
    full: { record_collection: collection, match_condition: group },
    mistakes: [
      [{ record_collection: 4 }, "input_validation", /config\.record_collection: expected an object, got a number$/]
    ]
  },
  sort_record_collection: {
    minimal: {},
    reads: { sorts: [] },
    full: {
      record_collection: collection,
      sorts: [{ id: "s", variable_def: field("number", { ...kept, collection: true }), direction: "desc" }]
    },
    mistakes: [
      [{ sorts: [{ direction: "asc" }] }, "input_validation", /sorts\[0\]\.variable_def: is required$/],
      [
        { sorts: [{ variable_def: field("number"), direction: "down" }] },
        "input_validation",
        /direction: "down" .*allowed: "asc", "desc"/
      ]
    ]
  },
  clear_record_collection: { minimal: {}, reads: {}, full: { record_collection: collection } },
  collected_records_update: {
    minimal: {},
    reads: { field_assignments: [], ...M },
    full: { record_collection: collection, field_assignments: [assignment], ...mutation }
  },
  referenced_records_update: {
    minimal: {},
    reads: { field_assignments: [], ...M },
    full: { app_id: 3, field_assignments: [assignment], ...mutation }
  },
  collected_records_comment_create: {
    minimal: {},
    reads: { comment_content: [], ...M },
    full: { comment_content: ["a"], record_collection: collection, ...mutation }
  },
  rollup_iterable_values: {
    minimal: { rollup_type: "sum" },
    reads: { rollup_type: "sum", custom_variable_def: { custom_type: "any", label: "Rollup" } },
    full: {
      rollup_type: "percent_not_empty",
      rollup_variable_def: field("number", { ...kept, collection: true }),
      custom_variable_def: def
    },
    mistakes: [
      [{}, "input_validation", /config\.rollup_type: is required$/],
      [{ rollup_type: "avg" }, "input_validation", /rollup_type: "avg" is not allowed here/]
    ]
  },
  current_record_call_automation: {
    minimal: {},
    reads: { call_arguments: [] },
    full: { automation_id: 9, call_arguments: [argument] },
    mistakes: [
      [{ call_arguments: [{}] }, "input_validation", /call_arguments\[0\]\.variable_def: is required$/],
      [
        { call_arguments: [{ variable_def: { label: "A" } }] },
        "input_validation",
        /variable_def\.custom_type: is required/
      ]
    ]
  },
  collected_records_call_automation: {
    minimal: {},
    reads: { call_arguments: [] },
    full: { automation_id: 9, call_arguments: [argument], record_collection: collection }
  },
  current_record_generate_automation_weblink: {
    minimal: {},
    reads: {
      call_arguments: [],
      custom_variable_def: { custom_type: "single_link", label: "Weblink" },
      weblink_expiration: "never"
    },
    full: { automation_id: 9, call_arguments: [argument], custom_variable_def: def, weblink_expiration: "on_click" },
    mistakes: [[{ weblink_expiration: "ONE_DAY" }, "input_validation", /did you mean "one_day"\?$/]]
  },
  display_webpage: {
    minimal: {},
    reads: { join_type: "add_below", fullscreen: false, remove_branding: false, webpage_body: [] },
    full: { join_type: "replace_previous", fullscreen: true, remove_branding: true, webpage_body: ["<p>"] }
  },
  redirect_user: { minimal: {}, reads: { redirect_url: [] }, full: { redirect_url: ["https://x.example"] } },
  send_email: {
    minimal: {},
    reads: mail,
    full: {
      ...mail,
      to_address: ["a@example.com"],
      smtp_account_id: 4,
      attach_files_match_type: "most_recent",
      attach_files_variable_defs: [field("multi_attachment")],
      attach_files_match_condition: group
    },
    mistakes: [[{ attach_files_match_type: "most recent" }, "input_validation", /did you mean "most_recent"\?$/]]
  },
  collected_records_send_email: {
    minimal: {},
    reads: { ...mail, fields_expanded: false },
    full: { ...mail, record_collection: collection, fields_expanded: true }
  },
  create_pdf: {
    minimal: {},
    reads: pdf,
    full: {
      ...pdf,
      page_size: "custom_size",
      page_custom_width: ["100"],
      page_margins: "custom_margins",
      page_number_style: "upper_roman",
      pdf_body: ["<p>", { kind: "value", value_type: "pdf", pdf: "page_count" }]
    },
    mistakes: [[{ page_size: "A4" }, "input_validation", /did you mean "a4"\?$/]]
  },
  http_call: {
    minimal: {},
    reads: { ...request, custom_variable_defs: [] },
    full: {
      ...request,
      http_call_type: "post",
      http_call_url: ["https://x.example/"],
      http_call_headers: [{ id: "h", key: "X-A", value: ["1"] }],
      http_call_body: ["{}"],
      http_call_follow_redirects: true,
      custom_variable_defs: [def]
    },
    mistakes: [
      [{ http_call_type: "POST" }, "input_validation", /http_call_type: "POST" .*did you mean "post"\?$/],
      [{ http_call_headers: [{ value: "1" }] }, "input_validation", /http_call_headers\[0\]\.key: is required$/]
    ]
  },
  authenticated_http_call: {
    minimal: {},
    reads: { ...request, custom_variable_defs: [] },
    full: { ...request, authentication_provider_id: 2, custom_variable_defs: [def] }
  },
  delay: {
    minimal: {},
    reads: {},
    full: {
      delay_until: {
        type: "date",
        date: { base: field("single_date", kept), operator: "minus", unit: "hour", amount: ["2"] }
      }
    },
    mistakes: [
      [{ delay_ms: 999 }, "input_validation", /delay_ms: expected a value between 1000 and 31536000000$/],
      [{ delay_ms: 31_536_000_001 }, "input_validation", /delay_ms: expected a value between/],
      [
        { delay_ms: 1000, delay_until: "2030-01-01" },
        "validation",
        /config: give either `delay_ms` or `delay_until`, not both$/
      ],
      [
        { delay_until: { amount: 3 } },
        "input_validation",
        /delay_until\.amount: expected a string or an array, got a number$/
      ]
    ]
  },
  exit: {
    minimal: {},
    reads: {},
    full: { exit_type: "failure" },
    mistakes: [[{ exit_type: "succes" }, "input_validation", /exit_type: "succes" .*did you mean "success"\?$/]]
  },
  for_loop: {
    minimal: {},
    reads: { action_rows: [], break_condition: null, continue_condition: null },
    full: { iterable: collection, action_rows: [], break_condition: group, continue_condition: group },
    mistakes: [
      [
        { action_rows: [{ type: "delay" }] },
        "input_validation",
        /^actions\[0\]\.config\.action_rows\[0\]\.config: is required$/
      ]
    ]
  },
  conditional: {
    minimal: {},
    reads: { condition: null, action_rows: [] },
    full: { condition: group, action_rows: [], else_action_rows: [] },
    mistakes: [
      [{ else_action_rows: null }, "input_validation", /else_action_rows: expected an array, got null$/],
      [
        { condition_enabled: true },
        "input_validation",
        /condition_enabled: unknown key.*did you mean "condition"\?|unknown key/
      ]
    ]
  }
}

describe("service.md 2.7, developer-api.md 7.6: the 35 actions", () => {
  it("there are 35 of them, 33 of group action and 2 of control_flow", () => {
    assert.strictEqual(actionTypes.length, 35)
    assert.deepStrictEqual(
      actionTypes.filter((type) => actionSpec(type).group === "control_flow"),
      ["for_loop", "conditional"]
    )
  })
  for (const type of actionTypes) {
    const row = rows[type]
    const read = (config: object) => accepted({ actions: [{ id: "a", type, config }] }).actions[0]
    it(`${type}: minimal and full configs read with their defaults, and what is read writes the same`, () => {
      const { group: of } = actionSpec(type)
      assert.deepStrictEqual(read(row.minimal), { id: "a", type, group: of, config: row.reads })
      const full = read(row.full)
      assert.deepStrictEqual(Object.keys(full.config).toSorted(), Object.keys(row.full).toSorted())
      assert.deepStrictEqual(read(full.config), full)
      for (const action of [read(row.minimal), full]) {
        const storedDefinition = JSON.parse(JSON.stringify({ trigger: null, filter: null, actions: [action] }))
        const { definition, unreadable } = readStored({ format: 0, ...storedDefinition })
        assert.deepStrictEqual([definition, unreadable], [storedDefinition, []], "and is read as it is stored")
      }
    })
    it(`${type}: mistakes are named with their path`, () => {
      for (const [config, code, message] of [stray, ...(row.mistakes ?? [])]) {
        const base = config === stray[0] ? { ...row.minimal, ...(config as object) } : config
        const [actual, text] = refusalOf({ actions: [{ type, config: base }] })
        assert.strictEqual(actual, code, text)
        assert.match(text, message)
      }
      assert.deepStrictEqual(refusalOf({ actions: [{ type }] }), ["input_validation", "actions[0].config: is required"])
    })
  }

  it("7.13: retry of an outside step reads as written and stays absent when unset; its bounds are named, other steps have none", () => {
    const retry = { attempts: 10, first_ms: 100, factor: 1.5, at_most_ms: 86_400_000 }
    const step = (more: object, type = "http_call") => ({ actions: [{ id: "n", type, config: {}, ...more }] })
    const read = (type: string) => accepted(step({ retry }, type)).actions[0].retry
    for (const type of outsideTypes) assert.deepStrictEqual(read(type), retry, type)
    assert.notProperty(accepted(step({})).actions[0], "retry")
    assert.deepStrictEqual(accepted(step({ retry: { ...retry, on_status: [404] } })).actions[0].retry.on_status, [404])
    const window = { from: "22:00", to: "04:30", week_days: ["friday"] }
    assert.deepStrictEqual(accepted(step({ retry: { ...retry, window } })).actions[0].retry.window, window)
    const wrong = (more: object, type?: string) => refusalOf(step({ retry: { ...retry, ...more } }, type))[1]
    assert.match(wrong({ window: { from: "8:00", to: "18:00" } }), /^actions\[0\]\.retry\.window\.from: /)
    assert.match(wrong({ window: { from: "08:00" } }), /^actions\[0\]\.retry\.window\.to: /)
    assert.match(wrong({ window: { from: "08:00", to: "08:00" } }), /^actions\[0\]\.retry\.window: .*both 08:00/)
    assert.match(wrong({ attempts: 0 }), /^actions\[0\]\.retry\.attempts: /)
    assert.match(wrong({ attempts: 11 }), /^actions\[0\]\.retry\.attempts: .*10/)
    assert.match(wrong({ first_ms: 99 }), /^actions\[0\]\.retry\.first_ms: .*100/)
    assert.match(wrong({ factor: 0.5 }), /^actions\[0\]\.retry\.factor: /)
    assert.match(wrong({ at_most_ms: 86_400_001 }), /^actions\[0\]\.retry\.at_most_ms: .*86400000/)
    assert.match(wrong({ first_ms: 200, at_most_ms: 100 }), /^actions\[0\]\.retry\.at_most_ms: 100 is less than/)
    assert.match(wrong({ on_status: [200] }), /^actions\[0\]\.retry\.on_status\[0\]: /)
    assert.match(wrong({ on_status: [500] }, "send_email"), /^actions\[0\]\.retry\.on_status: only the answers of HTTP/)
    const bound = { retry_after_at_most_ms: 60_000 }
    assert.deepInclude(accepted(step({ retry: { ...retry, ...bound } })).actions[0].retry, bound)
    assert.match(wrong(bound, "send_email"), /^actions\[0\]\.retry\.retry_after_at_most_ms: only the answers of HTTP/)
    assert.match(wrong({ retry_after_at_most_ms: 99 }), /^actions\[0\]\.retry\.retry_after_at_most_ms: /)
    assert.match(refusalOf(step({ retry: { attempts: 3 } }))[1], /actions\[0\]\.retry\.first_ms: is required/)
    for (const type of actionTypes.filter((one) => !(outsideTypes as ReadonlyArray<string>).includes(one))) {
      assert.match(refusalOf(step({ retry }, type))[1], /actions\[0\]\.retry: unknown key/, type)
    }
  })

  it("an unknown type is answered with the nearest one; a wrong group is refused, the right one may be sent", () => {
    const [code, text] = refusalOf({ actions: [{ type: "send_mail", config: {} }] })
    assert.strictEqual(code, "input_validation")
    assert.match(text, /^actions\[0\]\.type: "send_mail" is not allowed here; .*did you mean "send_email"\?$/)
    assert.match(
      refusalOf({ actions: [{ type: "exit", group: "control_flow", config: {} }] })[1],
      /^actions\[0\]\.group: /
    )
    assert.strictEqual(
      accepted({ actions: [{ type: "exit", group: "action", config: {} }] }).actions[0].group,
      "action"
    )
  })
  it("7.6: unset labels and flags stay absent; ids sent are kept, others minted, twice the same is a 400", () => {
    const action = accepted({ actions: [{ type: "exit", config: {} }] }).actions[0]
    assert.deepStrictEqual(action, { id: "minted-1", type: "exit", group: "action", config: {} })
    const flags = { custom_name: "Stop", deactivate: true, continue_on_error: false }
    assert.deepInclude(accepted({ actions: [{ id: "mine", type: "exit", ...flags, config: {} }] }).actions[0], {
      id: "mine",
      ...flags
    })
    const twice = [
      { id: "a", type: "exit", config: {} },
      { id: "a", type: "exit", config: {} }
    ]
    assert.deepStrictEqual(refusalOf({ actions: twice }), ["validation", 'actions[1].id: the id "a" is used twice'])
  })
  it("7.7: the 20 field assignments read back as they were written, unused values empty", () => {
    const date = {
      base: { kind: "variable", source: "global", global_type: "current_date" },
      operator: "plus",
      unit: "day",
      amount: ["1"]
    }
    const values: Record<string, unknown> = {
      ...{
        single_text: ["a"],
        multi_text: ["a"],
        number: ["1"],
        single_category: [1],
        multi_category: [1, 2],
        status: [1]
      },
      ...{ single_date: { start: date }, range_date: { start: ["2030-01-01"], end: date }, single_relation: [5] },
      ...{
        multi_relation: [5, 6],
        single_user: [7],
        multi_user: [7, 8],
        single_location: ["Kai 1"],
        multi_link: [["https://x.example"]]
      },
      checklist: [{ title: ["a"], description: ["b"], due_at: date, assignee: 7, completed: true }],
      ...{ multi_email: [{ type: "home", value: ["a@example.com"] }], multi_phone: [{ type: "pager", value: ["1"] }] },
      ...{ single_attachment: [collection], multi_attachment: [collection], multi_image: [collection] }
    }
    assert.strictEqual(Object.keys(values).length, 20)
    for (const [field_type, field_value] of Object.entries(values)) {
      const entry = { field_type, variable_def: field(field_type, kept), assignment_type: "set", field_value, code: [] }
      const read = accepted({ actions: [{ type: "current_record_update", config: { field_assignments: [entry] } }] })
      assert.deepStrictEqual(read.actions[0].config.field_assignments, [entry], field_type)
      const byCode = { field_type, variable_def: field(field_type), assignment_type: "set_code", code: "1" }
      const set = accepted({ actions: [{ type: "current_record_update", config: { field_assignments: [byCode] } }] })
      const empty = field_type.endsWith("_date") ? { start: [] } : []
      assert.deepStrictEqual(set.actions[0].config.field_assignments[0].field_value, empty, field_type)
    }
  })
})

describe("developer-api.md 7.5: the nine triggers", () => {
  const table: Record<
    keyof typeof triggers,
    { reads: object; full: object; mistakes?: ReadonlyArray<readonly [object, RegExp]> }
  > = {
    record_created: { reads: {}, full: {} },
    record_deleted: { reads: {}, full: {} },
    record_comment_or_reply_created: { reads: {}, full: {} },
    record_updated: {
      reads: { trigger_on_changes_field_ids: null },
      full: { trigger_on_changes_field_ids: [1, 2] },
      mistakes: [[{ trigger_on_changes_field_ids: 4 }, /^trigger\.config\.trigger_on_changes_field_ids: expected/]]
    },
    automation_called: {
      reads: {
        triggering_app_ids: [],
        triggering_app_ids_enabled: false,
        custom_variable_defs: [],
        custom_variable_defs_enabled: false
      },
      full: {
        triggering_app_ids: [3],
        triggering_app_ids_enabled: true,
        custom_variable_defs: [def],
        custom_variable_defs_enabled: true
      }
    },
    weblink_clicked: {
      reads: {
        triggering_app_ids: [],
        triggering_app_ids_enabled: false,
        custom_variable_defs: [],
        custom_variable_defs_enabled: false
      },
      full: {
        triggering_app_ids: [3],
        triggering_app_ids_enabled: true,
        custom_variable_defs: [def],
        custom_variable_defs_enabled: true
      }
    },
    date_field_arrived: {
      reads: { date_part: "start", offset_direction: "at", offset_amount: 0, offset_unit: "day", time_of_day: "00:00" },
      full: {
        date_field_id: 1,
        date_part: "end",
        offset_direction: "before",
        offset_amount: 2,
        offset_unit: "month",
        time_of_day: "23:59"
      },
      mistakes: [
        [{ time_of_day: "24:00" }, /^trigger\.config\.time_of_day: /],
        [{ offset_amount: -1 }, /offset_amount: /],
        [{ offset_direction: "Before" }, /did you mean "before"\?$/]
      ]
    },
    periodic: {
      reads: { schedule_type: "daily", time_of_day: "00:00", week_days: [], month_days: [] },
      full: {
        schedule_type: "cron",
        interval_amount: 1,
        interval_unit: "hour",
        time_of_day: "08:00",
        week_days: ["monday"],
        month_days: [-1, 31],
        cron_expression: "0 8 * * 1",
        timezone: "Europe/Vienna",
        starts_at: "2026-01-01 00:00",
        ends_at: "2027-01-01T00:00:00+02:00"
      },
      mistakes: [
        [{ month_days: [0] }, /month_days\[0\]: /],
        [{ month_days: [32] }, /month_days\[0\]: /],
        [{ week_days: ["mon"] }, /week_days\[0\]: "mon" is not allowed here/],
        [{ starts_at: "soon" }, /starts_at: /],
        [{ starts_at: "2026-02-31 00:00" }, /starts_at: /]
      ]
    },
    webhook_received: {
      reads: {
        response_mode: "immediate",
        response_status: 200,
        response_content_type: "application/json",
        response_body: [],
        response_timeout_seconds: 20
      },
      full: {
        response_mode: "sync",
        response_status: 201,
        response_content_type: "text/plain; charset=utf-8",
        response_body: ["ok"],
        response_status_value: ["20", word],
        response_headers: [{ name: "X-Word", value: ["the ", word] }],
        response_redirect: [word],
        response_file: { kind: "variable", source: "trigger", trigger_type: "webhook_file_collection" },
        response_timeout_seconds: 30,
        verification: { type: "hmac", secret: "sender_key", header: "X-Sum", algorithm: "sha512", encoding: "base64" }
      },
      mistakes: [
        [
          { webhook_url: "https://x.example" },
          /^trigger\.config\.webhook_url: is assigned by the service and cannot be written$/
        ],
        [{ verification: { type: "hmac", secret: "sender_key" } }, /verification: `header` is needed for `hmac`$/],
        [{ verification: { type: "githup", secret: "sender_key" } }, /verification\.type: .*"github"/],
        [{ verification: { type: "slack", secret: "key", tolerance_seconds: 1 } }, /verification\.tolerance_seconds: /],
        [{ response_timeout_seconds: 31 }, /response_timeout_seconds: expected a value between 1 and 30$/],
        [{ response_content_type: "text\r\nx: y" }, /response_content_type: /],
        [
          { response_headers: [{ name: "Set-Cookie", value: ["a"] }] },
          /response_headers\[0\]: `Set-Cookie` is not to be set/
        ],
        [
          { response_headers: [{ name: "X-A", value: "a\nb" }] },
          /response_headers\[0\]: The value of `X-A` holds a character/
        ],
        [{ response_content_type: "text/html\r\n;x" }, /response_content_type: /]
      ]
    }
  }
  for (const [type, row] of Object.entries(table)) {
    it(`${type}: {} reads its defaults, a full config reads as written, mistakes are named`, () => {
      const read = (config: object) => accepted({ trigger: { type, config } }).trigger
      assert.deepStrictEqual(read({}), { type, config: row.reads })
      assert.deepStrictEqual(read(row.full), { type, config: row.full })
      assert.deepStrictEqual(read({ app_id: 12 }), { type, config: row.reads }, "a legacy app_id is discarded")
      for (const [config, message] of [
        [{ nonsense: 1 }, /^trigger\.config\.nonsense: /] as const,
        ...(row.mistakes ?? [])
      ]) {
        const [code, text] = refusalOf({ trigger: { type, config } })
        assert.strictEqual(code, "input_validation")
        assert.match(text, message)
      }
    })
  }
})

describe("developer-api.md 7.4: references and constants", () => {
  const inTemplate = (item: unknown) =>
    accepted({ actions: [{ type: "redirect_user", config: { redirect_url: [item] } }] }).actions[0].config
      .redirect_url[0]
  const inCode = (item: unknown) => ({ actions: [{ type: "custom_code", config: { code: [item] } }] })
  it("a bare string reads back wrapped; flags of a field default to false, those of metadata are kept only when true", () => {
    assert.strictEqual(inTemplate("a"), "a")
    assert.deepStrictEqual(inTemplate(field("number")), field("number", kept))
    const meta = { kind: "variable", source: "meta", meta_type: "created_by" }
    assert.deepStrictEqual(inTemplate({ ...meta, previous: false, triggering: true }), { ...meta, triggering: true })
  })
  it("unknown source, value_type or a field reference without field_type is a 400", () => {
    assert.match(
      refusalOf(inCode({ kind: "variable", source: "metta" }))[1],
      /code\[0\]\.source: "metta" .*did you mean "meta"\?$/
    )
    assert.match(
      refusalOf(inCode({ kind: "variable", source: "field", field_id: 1 }))[1],
      /code\[0\]\.field_type: is required/
    )
    const text = refusalOf({
      actions: [{ type: "redirect_user", config: { redirect_url: [{ kind: "value", value_type: "optn" }] } }]
    })[1]
    assert.match(text, /redirect_url\[0\]\.value_type: "optn" .*did you mean "option"\?$/)
  })
  it("A15: constants stand in templates, not in code; a number in code is a 400", () => {
    const constants = [
      { kind: "value", value_type: "option", field_id: 1, option_id: 2 },
      { kind: "value", value_type: "user", user_id: 1 },
      { kind: "value", value_type: "record", record_id: 1 },
      { kind: "value", value_type: "pdf", pdf: "page_number" },
      { kind: "value", value_type: "date", date: "2026-01-01" },
      { kind: "value", value_type: "time", time: "10:00" }
    ]
    for (const constant of constants) {
      assert.deepStrictEqual(inTemplate(constant), constant)
      assert.strictEqual(refusalOf(inCode(constant))[0], "input_validation")
    }
    assert.strictEqual(refusalOf(inCode(4))[0], "input_validation")
  })
})

describe("developer-api.md 7.7 rule 7: limits", () => {
  const exits = (n: number) => Array.from({ length: n }, () => ({ type: "exit", config: {} }))
  const nest = (type: string, depth: number): object =>
    depth === 1 ? { type, config: {} } : { type, config: { action_rows: [nest(type, depth - 1)] } }
  const script = { code: "1" }
  const filters = (depth: number): object =>
    depth === 1 ? { operator: "and", rows: [script] } : { operator: "and", rows: [filters(depth - 1)] }
  it("200 actions, 10 levels, 3 loops, 100 rows, 256 KiB: the last that fits is accepted, the next is a 400", () => {
    accepted({ actions: exits(200) })
    assert.deepStrictEqual(refusalOf({ actions: exits(201) }), [
      "validation",
      "actions: there are 201 actions; at most 200"
    ])
    accepted({ actions: [nest("conditional", 10)] })
    assert.match(refusalOf({ actions: [nest("conditional", 11)] })[1], /: actions are nested deeper than 10 levels$/)
    accepted({ actions: [nest("for_loop", 3)] })
    assert.match(refusalOf({ actions: [nest("for_loop", 4)] })[1], /: loops are nested deeper than 3 levels$/)
    accepted({ filter: filters(10) })
    assert.deepStrictEqual(refusalOf({ filter: filters(11) }), [
      "validation",
      "filter: the filter is nested deeper than 10 levels"
    ])
    accepted({ filter: { operator: "and", rows: Array.from({ length: 100 }, () => script) } })
    assert.match(
      refusalOf({ filter: { operator: "and", rows: Array.from({ length: 101 }, () => script) } })[1],
      /101 rows; at most 100$/
    )
    const long = (n: number) => ({ actions: [{ id: "a", type: "custom_code", config: { code: "x".repeat(n) } }] })
    accepted(long(261_000))
    assert.match(refusalOf(long(263_000))[1], /^body: the definition takes \d+ bytes as JSON; at most 262144$/)
  })
  it("thousands of levels and text that cannot be stored are a 400, not a crash", () => {
    let deep: object = { operator: "and", rows: [] }
    for (let n = 0; n < 20_000; n++) deep = { operator: "and", rows: [deep] }
    assert.match(refusalOf({ filter: deep })[1], /nested too deeply$/)
    for (const text of ["a\u0000", "\ud800"]) {
      assert.match(
        refusalOf({ actions: [{ type: "custom_code", config: { code: text } }] })[1],
        /^actions\[0\]\.config\.code: the text holds NUL/
      )
    }
  })
})
