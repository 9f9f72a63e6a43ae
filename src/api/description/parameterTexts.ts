// Descriptions of path and query parameters by name; a name means the same in all operations (developer-api.md 1.4, 1.9, 4, 5).

const id = (what: string) => `Id of the ${what}`

const texts: Readonly<Record<string, string>> = {
  action_id: "Id of the step in its definition",
  after: "`delivery_id` of the last line that arrived: goes on behind it",
  app_id: id("app"),
  authentication_provider_id: id("authentication provider"),
  automation_id: id("automation"),
  before: "Only entries before this one, by its `audit_id`",
  before_version: "Only versions before this one",
  client_id: "Client ID of the app",
  comment_id: id("comment"),
  connection_id: id("connection"),
  cursor: "`cursor` of the page before; a list that is filtered or sorted otherwise refuses it",
  delivery_id: "`webhook-id` of the delivery",
  empty_response: "`true` answers with nothing instead of the records",
  event: "An event, or what stands before its dot: `person` for all that begin with `person.`",
  error: "Only those whose last attempt failed so: a class, `tls_error`, or all of it, `tls_error: cert has expired`",
  field_id: id("field"),
  field_type: "The field type whose operators are listed",
  fields:
    "Only these fields of each record, by `external_id` or id, separated by commas; all of them without it, none where it is empty",
  file_id: id("file"),
  from_id: id("earlier revision"),
  hook: "`false` sends no webhooks for this change",
  hook_id: id("hook"),
  job_id: id("job"),
  id: "Id of the app, the workspace or the automation whose runs are listed",
  include_deleted: "`true` shows one that is in the trash as well",
  kinds: "Kinds that are wanted, by commas, as above; all of them where none is named",
  last_event_id: "Instead of the header `Last-Event-ID`: the last event that arrived",
  log_limit: "So many entries of its log, the first ones; all of them without it",
  limit: "How many there are in a page, at most",
  offset: "So many records are left out before the first of this page, behind `cursor` where one is sent",
  other_run_id: id("run to compare with"),
  q: "Words, or phrases in quotes, at most 60 words",
  record_id: id("record"),
  ref_app_id: id("app whose records are related"),
  replay_id: id("replay"),
  reply_id: id("reply"),
  revision: "Number of the revision: 0 is the record as it was made",
  revision_id: id("revision"),
  run_id: id("run"),
  seconds: "After how many seconds the stream ends, 300 at most",
  secret_id: id("secret"),
  session_id: id("session"),
  silent: "`true` sends people no notifications of this change",
  since: "Only from this time on; a day means its beginning",
  skip_trash: "`true` deletes for good",
  smtp_account_id: id("mail account"),
  sort_by:
    "`external_id` of a field, or what records know of themselves, such as `created_on`; the newest come first without it",
  sort_desc: "`true` turns the order round",
  status: "Only those with this status",
  step: "How long one point is",
  text: "What the title contains",
  title: "Only those with this text in their title",
  total: "`none` leaves the count out: `total` is then null",
  to_id: id("later revision"),
  type: "Only deliveries of this type",
  until: "Only up to this time; a day means its end",
  user_id: id("user"),
  view_id: id("view"),
  workflow: "`false` lets the change fire no automation",
  workspace_id: id("workspace")
}

type Json = Record<string, any>

/** Adds a parameter's description, unless the endpoint itself has one. */
export const explainParameter = (parameter: Json): Json => {
  const description = parameter["description"] ?? parameter["schema"]?.description ?? texts[parameter["name"]]
  return description === undefined ? parameter : { ...parameter, description }
}
