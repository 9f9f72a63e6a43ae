// A step of an automation in one sentence (docs/actions.md): `If Total ≥ 1,000`, `Update record: State → Approved`. The flow, the page of an
// automation and the comparison of versions all say it so.
import { conditionSentence, dateWords, fieldOf, idsWords, lineOf, type Names, UNSET } from "./conditionSentence.ts"
import type { FilterGroup, Reference } from "./definition.ts"
import { wordsOfChoice, wordsOfToken } from "./formWords.ts"
import { wordsOf } from "./references.ts"
import type { Config, Step } from "./steps.ts"

type Sentence = (config: Config, names: Names) => string

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown) => (Array.isArray(value) ? value : []).filter(isObject)

const LISTED = 3
const listText = (words: ReadonlyArray<string>) =>
  words.length > LISTED ? `${words.slice(0, LISTED).join(", ")} and ${words.length - LISTED} more` : words.join(", ")

/** Adds a detail after a colon, if there is one. */
const withDetail = (words: string, detail: string) => (detail === "" ? words : `${words}: ${detail}`)

const appWords = (app_id: unknown, { apps }: Names) =>
  typeof app_id === "number" ? (apps.get(app_id)?.name ?? `app ${app_id}`) : UNSET

const labelsOf = (defs: unknown) => objectsIn(defs).map(({ label }) => String(label || UNSET))

const milliseconds = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"]
] as const
const durationWords = (millis: number) => {
  const [size, unit] = milliseconds.find(([length]) => millis >= length && millis % length === 0) ?? [1, "millisecond"]
  const count = millis / size
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`
}

const assignedWords = (assignment: Readonly<Record<string, unknown>>, names: Names): string => {
  const { assignment_type, code, field_type, field_value, variable_def } = assignment
  if (assignment_type === "set_code") return lineOf(code, names) || UNSET
  if (/^(?:single_|multi_)?(?:category|status|relation|user)$/.test(String(field_type)))
    return idsWords(field_value, variable_def as Reference, names) || "nothing"
  if (isObject(field_value)) return dateWords(field_value["start"], names) || "nothing"
  const [first] = Array.isArray(field_value) ? field_value : []
  if (isObject(first) && first["kind"] === undefined) return lineOf(first["value"] ?? first["title"], names) || UNSET
  return lineOf(field_value, names) || "nothing"
}

const assignmentsWords = (config: Config, names: Names) =>
  listText(
    objectsIn(config["field_assignments"]).map((assignment) => {
      const def = assignment["variable_def"] as Reference | undefined
      const label = def === undefined ? UNSET : (fieldOf(def["field_id"], names)?.label ?? wordsOf(def, names.apps))
      return `${label} → ${assignedWords(assignment, names)}`
    })
  )

const conditionIn = (config: Config, key: string, names: Names) =>
  conditionSentence(config[key] as FilterGroup | null | undefined, names)

const limitWords = ({ limit, limit_enabled }: Config) => (limit_enabled === true ? `up to ${String(limit)} ` : "")

const request: Sentence = (config, names) => {
  const method = wordsOfChoice("http_call_type", String(config["http_call_type"] ?? "get"))
  const address = lineOf(config["http_call_url"], names)
    .replace(/^https?:\/\/(?:[^/?#@]*@)?/i, "")
    .split(/[?#]/)[0]
  return `${method} ${address || UNSET}`
}

const called: Sentence = (config) => {
  const count = objectsIn(config["call_arguments"]).length
  return count === 0 ? "" : `with ${count} ${count === 1 ? "input" : "inputs"}`
}

const relations: Sentence = (config, names) => {
  const defs = objectsIn(config["ref_collection_defs"])
  return listText(
    defs.map(({ app_id, via_field_ids }) => {
      const fields = (Array.isArray(via_field_ids) ? via_field_ids : []).map(
        (id) => fieldOf(id, names)?.label ?? `field ${id}`
      )
      const app = app_id === undefined ? "every app" : appWords(app_id, names)
      return fields.length === 0 ? app : `${app} by ${fields.join(", ")}`
    })
  )
}

const sorted: Sentence = (config, { apps }) =>
  objectsIn(config["sorts"])
    .map(({ direction, variable_def }) =>
      isObject(variable_def) ? `${wordsOf(variable_def as Reference, apps)} ${direction === "desc" ? "↓" : "↑"}` : UNSET
    )
    .join(", ")

const variables = (config: Config) => listText(labelsOf(config["custom_variable_defs"]))
const collection = (config: Config, { apps }: Names) =>
  isObject(config["record_collection"]) ? wordsOf(config["record_collection"] as Reference, apps) : ""

const sentences: Readonly<Record<string, Sentence>> = {
  authenticated_http_call: request,
  http_call: request,
  collect_app_records: (config, names) => {
    const condition = conditionIn(config, "match_condition", names)
    return `Collect ${limitWords(config)}records of ${appWords(config["app_id"], names)}${condition === "" ? "" : ` where ${condition}`}`
  },
  collect_app_view_records: (config, names) =>
    `Collect ${limitWords(config)}records of a view of ${appWords(config["app_id"], names)}`,
  collect_referenced_records: (config, names) => withDetail("Collect related records", relations(config, names)),
  collected_records_collect_referenced_records: (config, names) =>
    withDetail("Collect records related to collected ones", relations(config, names)),
  collected_records_update: (config, names) => withDetail("Update collected records", assignmentsWords(config, names)),
  collected_records_comment_create: (config, names) =>
    withDetail("Comment on collected records", lineOf(config["comment_content"], names)),
  collected_records_send_email: (config, names) =>
    withDetail(
      `Send a mail for each to ${lineOf(config["to_address"], names) || UNSET}`,
      lineOf(config["subject"], names)
    ),
  collected_records_call_automation: (config, names) =>
    withDetail("Call an automation for each collected record", called(config, names)),
  conditional: (config, names) => {
    const condition = conditionIn(config, "condition", names)
    return condition === "" ? "If …" : `If ${condition}`
  },
  create_pdf: (config, names) => withDetail("Create PDF", lineOf(config["filename"], names)),
  current_record_call_automation: (config, names) => withDetail("Call an automation", called(config, names)),
  current_record_comment_create: (config, names) => withDetail("Comment", lineOf(config["comment_content"], names)),
  current_record_comment_or_reply_reply_create: (config, names) =>
    withDetail("Reply", lineOf(config["reply_content"], names)),
  current_record_update: (config, names) => withDetail("Update record", assignmentsWords(config, names)),
  custom_code: (config) => withDetail("Run a script", variables(config) === "" ? "" : `sets ${variables(config)}`),
  custom_variable: (config, names) =>
    `Set ${variables(config) || UNSET} to ${lineOf(config["assignment_code"], names) || UNSET}`,
  delay: (config, names) =>
    typeof config["delay_ms"] === "number"
      ? `Wait ${durationWords(config["delay_ms"])}`
      : `Wait until ${dateWords(config["delay_until"], names) || UNSET}`,
  display_webpage: (config, names) =>
    withDetail(
      "Show a page",
      lineOf(config["webpage_body"], names)
        .replaceAll(/<[^<>]{0,200}>/g, " ")
        .trim()
    ),
  exit: (config) =>
    config["exit_type"] === undefined
      ? "End the run"
      : `End the run as ${wordsOfToken(String(config["exit_type"])).toLowerCase()}`,
  filter_record_collection: (config, names) =>
    withDetail("Keep collected records", conditionIn(config, "match_condition", names)),
  for_loop: (config, { apps }) =>
    `For each of ${isObject(config["iterable"]) ? wordsOf(config["iterable"] as Reference, apps) : UNSET}`,
  record_create: (config, names) =>
    withDetail(`Create record in ${appWords(config["app_id"], names)}`, assignmentsWords(config, names)),
  redirect_user: (config, names) => `Redirect to ${lineOf(config["redirect_url"], names) || UNSET}`,
  referenced_records_update: (config, names) =>
    withDetail(
      `Update related records${config["app_id"] === undefined ? "" : ` of ${appWords(config["app_id"], names)}`}`,
      assignmentsWords(config, names)
    ),
  rollup_iterable_values: (config, { apps }) => {
    const values = config["rollup_variable_def"]
    const of = isObject(values) ? ` of ${wordsOf(values as Reference, apps)}` : ""
    return `Set ${labelsOf([config["custom_variable_def"]])[0] ?? UNSET} to ${wordsOfToken(String(config["rollup_type"] ?? UNSET)).toLowerCase()}${of}`
  },
  send_email: (config, names) =>
    withDetail(`Send a mail to ${lineOf(config["to_address"], names) || UNSET}`, lineOf(config["subject"], names)),
  sort_record_collection: (config, names) => withDetail("Sort collected records", sorted(config, names)),
  clear_record_collection: (config, names) => withDetail("Empty the collection", collection(config, names))
}

/** A type without a sentence of its own has its label. */
export const stepSentence = ({ config, type }: Pick<Step, "config" | "type">, names: Names): string =>
  sentences[type]?.(config, names) ?? names.label(type)
