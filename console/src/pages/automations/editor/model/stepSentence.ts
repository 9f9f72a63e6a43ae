// A step of an automation in one sentence (docs/actions.md): `If Total ≥ 1,000`, `Update record: State → Approved`. The flow, the page of an
// automation and the comparison of versions all say it so.

import { stepSentence as texts } from "../../../../texts/automations/editorModel.ts"
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
  words.length > LISTED
    ? texts.wordsAndRestMore(words.slice(0, LISTED).join(", "), words.length - LISTED)
    : words.join(", ")

/** Adds a detail after a colon, if there is one. */
const withDetail = (words: string, detail: string) => (detail === "" ? words : `${words}: ${detail}`)

const appWords = (app_id: unknown, { apps }: Names) =>
  typeof app_id === "number" ? (apps.get(app_id)?.name ?? texts.appId(app_id)) : UNSET

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
  return texts.countUnitS(count.toLocaleString("en"), unit, count)
}

const assignedWords = (assignment: Readonly<Record<string, unknown>>, names: Names): string => {
  const { assignment_type, code, field_type, field_value, variable_def } = assignment
  if (assignment_type === "set_code") return lineOf(code, names) || UNSET
  if (/^(?:single_|multi_)?(?:category|status|relation|user)$/.test(String(field_type)))
    return idsWords(field_value, variable_def as Reference, names) || texts.nothing
  if (isObject(field_value)) return dateWords(field_value["start"], names) || texts.nothing
  const [first] = Array.isArray(field_value) ? field_value : []
  if (isObject(first) && first["kind"] === undefined) return lineOf(first["value"] ?? first["title"], names) || UNSET
  return lineOf(field_value, names) || texts.nothing
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

const limitWords = ({ limit, limit_enabled }: Config) => (limit_enabled === true ? texts.upToLimit(String(limit)) : "")

const request: Sentence = (config, names) => {
  const method = wordsOfChoice("http_call_type", String(config["http_call_type"] ?? "get"))
  const address = lineOf(config["http_call_url"], names)
    .replace(/^https?:\/\/(?:[^/?#@]*@)?/i, "")
    .split(/[?#]/)[0]
  return `${method} ${address || UNSET}`
}

const called: Sentence = (config) => {
  const count = objectsIn(config["call_arguments"]).length
  return count === 0 ? "" : texts.withCountInputs(count)
}

const relations: Sentence = (config, names) => {
  const defs = objectsIn(config["ref_collection_defs"])
  return listText(
    defs.map(({ app_id, via_field_ids }) => {
      const fields = (Array.isArray(via_field_ids) ? via_field_ids : []).map(
        (id) => fieldOf(id, names)?.label ?? texts.fieldId(id)
      )
      const app = app_id === undefined ? texts.everyApp : appWords(app_id, names)
      return fields.length === 0 ? app : texts.appByFields(app, fields.join(", "))
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
    return texts.collectLimitRecordsOfApp(
      limitWords(config),
      appWords(config["app_id"], names),
      condition === "" ? "" : texts.whereCondition(condition)
    )
  },
  collect_app_view_records: (config, names) =>
    texts.collectLimitRecords(limitWords(config), appWords(config["app_id"], names)),
  collect_referenced_records: (config, names) => withDetail(texts.collectRelatedRecords, relations(config, names)),
  collected_records_collect_referenced_records: (config, names) =>
    withDetail(texts.collectRecordsRelatedToCollected, relations(config, names)),
  collected_records_update: (config, names) =>
    withDetail(texts.updateCollectedRecords, assignmentsWords(config, names)),
  collected_records_comment_create: (config, names) =>
    withDetail(texts.commentOnCollectedRecords, lineOf(config["comment_content"], names)),
  collected_records_send_email: (config, names) =>
    withDetail(texts.sendAMailForEach(lineOf(config["to_address"], names) || UNSET), lineOf(config["subject"], names)),
  collected_records_call_automation: (config, names) =>
    withDetail(texts.callAnAutomationForEach, called(config, names)),
  conditional: (config, names) => {
    const condition = conditionIn(config, "condition", names)
    return condition === "" ? texts.if : texts.ifCondition(condition)
  },
  create_pdf: (config, names) => withDetail(texts.createPdf, lineOf(config["filename"], names)),
  current_record_call_automation: (config, names) => withDetail(texts.callAnAutomation, called(config, names)),
  current_record_comment_create: (config, names) => withDetail(texts.comment, lineOf(config["comment_content"], names)),
  current_record_comment_or_reply_reply_create: (config, names) =>
    withDetail(texts.reply, lineOf(config["reply_content"], names)),
  current_record_update: (config, names) => withDetail(texts.updateRecord, assignmentsWords(config, names)),
  custom_code: (config) =>
    withDetail(texts.runAScript, variables(config) === "" ? "" : texts.setsVariables(variables(config))),
  custom_variable: (config, names) =>
    texts.setVariablesToLine(variables(config) || UNSET, lineOf(config["assignment_code"], names) || UNSET),
  delay: (config, names) =>
    typeof config["delay_ms"] === "number"
      ? texts.waitDuration(durationWords(config["delay_ms"]))
      : texts.waitUntilDate(dateWords(config["delay_until"], names) || UNSET),
  display_webpage: (config, names) =>
    withDetail(
      texts.showAPage,
      lineOf(config["webpage_body"], names)
        .replaceAll(/<[^<>]{0,200}>/g, " ")
        .trim()
    ),
  exit: (config) =>
    config["exit_type"] === undefined
      ? texts.endTheRun
      : texts.endTheRunAsWords(wordsOfToken(String(config["exit_type"])).toLowerCase()),
  filter_record_collection: (config, names) =>
    withDetail(texts.keepCollectedRecords, conditionIn(config, "match_condition", names)),
  for_loop: (config, { apps }) =>
    texts.forEachOfWords(isObject(config["iterable"]) ? wordsOf(config["iterable"] as Reference, apps) : UNSET),
  record_create: (config, names) =>
    withDetail(texts.createRecordInApp(appWords(config["app_id"], names)), assignmentsWords(config, names)),
  redirect_user: (config, names) => texts.redirectToLine(lineOf(config["redirect_url"], names) || UNSET),
  referenced_records_update: (config, names) =>
    withDetail(
      texts.updateRelatedRecords(config["app_id"] === undefined ? "" : texts.ofApp(appWords(config["app_id"], names))),
      assignmentsWords(config, names)
    ),
  rollup_iterable_values: (config, { apps }) => {
    const values = config["rollup_variable_def"]
    const of = isObject(values) ? texts.ofWords(wordsOf(values as Reference, apps)) : ""
    return texts.setLabelToWords(
      labelsOf([config["custom_variable_def"]])[0] ?? UNSET,
      wordsOfToken(String(config["rollup_type"] ?? UNSET)).toLowerCase(),
      of
    )
  },
  send_email: (config, names) =>
    withDetail(texts.sendAMailToLine(lineOf(config["to_address"], names) || UNSET), lineOf(config["subject"], names)),
  sort_record_collection: (config, names) => withDetail(texts.sortCollectedRecords, sorted(config, names)),
  clear_record_collection: (config, names) => withDetail(texts.emptyTheCollection, collection(config, names))
}

/** A type without a sentence of its own has its label. */
export const stepSentence = ({ config, type }: Pick<Step, "config" | "type">, names: Names): string =>
  sentences[type]?.(config, names) ?? names.label(type)
