// One example of each trigger type with what the catalogue does not say of it: developer-api.md 7.5, 7.9 and 7.10.
import type { TriggerContext, TriggerOutput } from "../../../src/domain/automations/schema/Trigger.ts"
import type { TriggerType } from "../../../src/domain/automations/triggers/registry.ts"
import { fieldRef } from "./world.ts"

export interface TriggerWords {
  readonly config: object
  readonly about: string
  /** Source of a trigger that no event of the app fires. */
  readonly source?: string
  /** Where it does not fire. */
  readonly silent: string
  /** Mistakes that `activate` refuses. */
  readonly refused?: string
  /** A reference that a step may make under this trigger. */
  readonly reads: object
}

const output = (trigger_type: string, more: object = {}) => ({
  kind: "variable",
  source: "trigger",
  trigger_type,
  ...more
})
const input = { kind: "variable", source: "custom", custom_type: "any", label: "Reason" }

const switchedOff = "the change was made with `workflow=false`, or by a step with `trigger_other_flows: false`"
const calledInputs = {
  custom_variable_defs: [{ custom_type: "any", label: "Reason" }],
  custom_variable_defs_enabled: true
}
const unknownApp = "an app of `triggering_app_ids` is missing (`trigger_app_missing`)"

export const triggerWords: Readonly<Record<TriggerType, TriggerWords>> = {
  record_created: {
    config: {},
    about: "It fires once the record is stored.",
    silent: switchedOff,
    reads: fieldRef(4401)
  },
  record_updated: {
    config: { trigger_on_changes_field_ids: [4402, 4405] },
    about:
      "References with `previous: true` read the record before the change. A computed field counts when its value changes. " +
      "`debounce_ms` of the automation joins changes that follow each other.",
    silent: `the write changes nothing, or none of the fields; ${switchedOff}`,
    refused: "a field is missing (`trigger_variable_missing`); the list is empty (`trigger_updated_fields_empty`)",
    reads: fieldRef(4402, { previous: true })
  },
  record_deleted: {
    config: {},
    about: "Steps that change the record fail, except `current_record_restore`.",
    silent: switchedOff,
    reads: fieldRef(4401)
  },
  record_comment_or_reply_created: {
    config: {},
    about: "The current record is the one that carries the comment.",
    silent: switchedOff,
    reads: output("record_comment_or_reply_content")
  },
  date_field_arrived: {
    config: {
      date_field_id: 4403,
      offset_direction: "before",
      offset_amount: 2,
      offset_unit: "day",
      time_of_day: "08:00"
    },
    about:
      "It fires once for each record, value and config. A value with a time is exact; one without takes `time_of_day` in the automation's zone. " +
      "A changed value is scheduled anew. Instants that a stopped service missed fire late, up to 24 hours.",
    source: "the clock, when the instant has come",
    silent:
      "the field is empty, the record is in the trash, or the instant was past when the value was written or the automation activated",
    refused:
      "`date_field_id` is not set or missing (`trigger_variable_missing`), or is no date (`trigger_date_field_not_date`)",
    reads: fieldRef(4403)
  },
  automation_called: {
    config: calledInputs,
    about:
      "A call comes from the actions `current_record_call_automation` and `collected_records_call_automation`, or from " +
      "`POST /v1/automation/{id}/trigger`. Steps read the inputs as variables; an input that was not sent is `null`.",
    source: "a call",
    silent: "the triggering record is of no app of `triggering_app_ids`, or the automation is paused",
    refused: unknownApp,
    reads: input
  },
  periodic: {
    config: {
      schedule_type: "weekly",
      week_days: ["monday", "thursday"],
      time_of_day: "07:30",
      timezone: "Europe/Vienna"
    },
    about:
      "Runs have no record. A local time that a clock change leaves out fires at the next valid instant; one that occurs twice fires once. " +
      "After downtime the latest missed instant fires, once.",
    source: "the clock, by the schedule",
    silent:
      "the run before is not over, the day is one of `skip_dates`, or the instant is outside of `starts_at` and `ends_at`",
    refused:
      "the schedule is incomplete, closer than the shortest spacing, or over (`trigger_schedule_invalid`); it has no days " +
      "(`trigger_periodic_week_days_empty`, `trigger_periodic_month_days_empty`)",
    reads: output("periodic_next_execution_datetime")
  },
  webhook_received: {
    config: {
      response_mode: "sync",
      response_status: 201,
      response_body: ['{ "accepted": true }'],
      verification: { type: "hmac", secret: "shop_key", header: "X-Shop-Signature", algorithm: "sha256" }
    },
    about:
      "Runs have no record. The sender posts to `webhook_url`, which is assigned at the first save and stays while the trigger type does. " +
      "[The guide](api.md#automations) says which body becomes which payload, and how senders prove themselves.",
    source: "a request to `webhook_url`",
    silent: "the automation is paused or broken, or the sender's proof is wrong (401)",
    refused:
      "a secret is missing (`trigger_secret_missing`) or may not be used (`trigger_secret_not_allowed`); `response_file` is no file (`trigger_variable_missing`)",
    reads: output("webhook_payload_property", { key_path: ["items", 0, "price"], data_type: "number" })
  },
  weblink_clicked: {
    config: calledInputs,
    about:
      "A link comes from the action `current_record_generate_automation_weblink`, or from `POST /v1/automation/weblink/generate`. " +
      "The click waits for what `display_webpage` and `redirect_user` compose.",
    source: "a `GET` of the link; `HEAD` and prefetching do not count",
    silent:
      "the link is expired or spent, its record is in the trash, or the automation is paused or broken: the visitor gets a 410",
    refused: unknownApp,
    reads: output("weblink_click_count")
  }
}

export const contextWords: Readonly<Record<TriggerContext, string>> = {
  record: "The record, as the current record",
  comment: "The record, as the current record, and its comment or reply",
  weblink: "The record of the link, as the current record, and the visitor's page",
  none: "No record: steps that need a current record are refused (`action_invalid`)"
}

export const outputMeanings: Readonly<Record<TriggerOutput, string>> = {
  webhook_payload: "The whole payload",
  webhook_payload_property: "One value of the payload, by `key_path` and `data_type`",
  webhook_raw_body: "The body as it was sent, as text",
  webhook_headers: "Headers of the request; one of them with `key`",
  webhook_query: "Query of the request; one parameter with `key`",
  webhook_file_collection: "The files that were sent",
  periodic_execution_datetime: "The instant that fired",
  periodic_next_execution_datetime: "The instant that fires next",
  weblink_click_count: "How many times the link was clicked",
  weblink_created_at: "When the link was made",
  record_comment_or_reply_id: "Id of the comment or reply",
  record_comment_or_reply_content: "Its text",
  record_comment_or_reply_created_by: "Its author",
  record_comment_or_reply_attachments: "Its files",
  record_comment_or_reply_entity_type: "`comment` or `reply`"
}
