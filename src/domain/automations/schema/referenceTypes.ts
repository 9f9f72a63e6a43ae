// Tokens of dynamic values (developer-api.md 7.4): of which the schemas of references are made, and which their short forms name. Plain data,
// so that the console shares it.

/** Column of a subject's value (table "Resolution" of 7.4); omitted means the default. */
export const properties = [
  ...([
    "formatted",
    "id",
    "text",
    "color",
    "completed",
    "record_id",
    "title",
    "record_url",
    "user_id",
    "name"
  ] as const),
  ...(["start", "start_date", "start_time", "start_utc", "start_date_utc", "start_time_utc"] as const),
  ...(["end", "end_date", "end_time", "end_utc", "end_date_utc", "end_time_utc"] as const),
  ...(["email", "due_at", "assign_user_formatted", "all", "filename", "download_url", "value"] as const),
  ...(["original_formatted_address", "street_address", "city", "state", "postal_code", "country"] as const),
  ...(["latitude", "longitude", "map_in_sync"] as const)
] as const

export const metaTypes = [
  "app_record_id",
  "created_at",
  "last_modified_at",
  "created_by",
  "last_modified_by",
  "record_id",
  "record_url",
  "revision",
  "all_comments"
] as const

export const triggerOutputs = [
  "webhook_payload",
  "webhook_raw_body",
  "webhook_file_collection",
  "periodic_execution_datetime",
  "periodic_next_execution_datetime",
  "weblink_click_count",
  "weblink_created_at",
  "record_comment_or_reply_id",
  "record_comment_or_reply_content",
  "record_comment_or_reply_created_by",
  "record_comment_or_reply_attachments",
  "record_comment_or_reply_entity_type"
] as const

/** Types of a payload's property. */
export const dataTypes = ["text", "number", "date", "boolean", "any"] as const
export type PayloadDataType = (typeof dataTypes)[number]

/** Parts of the request to an inbound address that hold a text, or a list of texts, by name. */
export const requestParts = ["webhook_headers", "webhook_query"] as const
export type RequestPart = (typeof requestParts)[number]

export const actionOutputs = ["record_collection", "created_record", "file_collection"] as const

export const globalTypes = [
  "current_date",
  "current_datetime",
  "current_time",
  "current_automation",
  "current_automation_run",
  "actions_left_in_hour",
  "most_recent_error"
] as const

export const pdfCounts = ["page_number", "page_count"] as const
