// Lists the values that a step can refer to: the record of the run, what the trigger brings, the results of earlier steps (service.md 2.7
// "Dynamic values", "Producer and consumer rules"), in labelled groups.
import { pathText } from "../../../../../../src/domain/automations/schema/path.ts"
import { variablesOf } from "../../../../../../src/domain/automations/templates/templateNames.ts"
import { references as texts } from "../../../../texts/automations/editorModel.ts"
import type { Definition, Reference } from "./definition.ts"
import { wordsOfToken } from "./formWords.ts"
import { branchesOf, type Step, type Steps, stepsIn } from "./steps.ts"

export interface KnownField {
  readonly field_id: number
  readonly label: string
  readonly field_type: string
  readonly external_id?: string
  /** Settings, of which those of a calculation tell the type of its result. */
  readonly config?: { readonly settings?: unknown }
}
export interface KnownApp {
  readonly app_id: number
  readonly name: string
  readonly external_id?: string
  readonly fields: ReadonlyArray<KnownField>
}
export interface ReferenceChoice {
  readonly label: string
  readonly reference: Reference
  /** Step that gives the value. */
  readonly from?: string
}
export interface ReferenceGroup {
  readonly group: string
  readonly choices: ReadonlyArray<ReferenceChoice>
}

const variable = (more: Readonly<Record<string, unknown>>): Reference => ({ kind: "variable", ...more })

export const fieldReference = ({ field_id, field_type }: KnownField, more: object = {}): Reference =>
  variable({ source: "field", field_id, field_type, previous: false, collection: false, triggering: false, ...more })

const metaTypes = texts.metaTypes

const globals = texts.globals

const outputs: Readonly<Record<string, ReadonlyArray<string>>> = {
  webhook_received: [
    ...["webhook_payload", "webhook_file_collection"],
    ...["webhook_headers", "webhook_query", "webhook_raw_body"]
  ],
  periodic: ["periodic_execution_datetime", "periodic_next_execution_datetime"],
  weblink_clicked: ["weblink_click_count", "weblink_created_at"],
  record_comment_or_reply_created: [
    "record_comment_or_reply_content",
    "record_comment_or_reply_created_by",
    "record_comment_or_reply_id",
    "record_comment_or_reply_attachments",
    "record_comment_or_reply_entity_type"
  ]
}

const withoutRecord = new Set(["periodic", "webhook_received"])

/** Steps that are done when this one begins, in order; `undefined` is the end of the automation. */
export const stepsBefore = (steps: Steps, id: string | undefined): ReadonlyArray<Step> => {
  const earlierSteps: Array<Step> = []
  const visit = (list: Steps): boolean =>
    list.some((step) => {
      if (step.id === id) return true
      earlierSteps.push(step)
      return branchesOf(step.type).some((branch) => visit(stepsIn(step, branch) ?? []))
    })
  visit(steps)
  return earlierSteps
}

const collects = /^collect(?:ed_records_collect)?_(?:app|referenced)/

/** Apps that a step collects records of. */
const collectedApps = ({ config, type }: Step): ReadonlyArray<number> => {
  if (!collects.test(type)) return []
  const ownAppIds = typeof config["app_id"] === "number" ? [config["app_id"]] : []
  const defs = Array.isArray(config["ref_collection_defs"]) ? config["ref_collection_defs"] : []
  return [...ownAppIds, ...defs.flatMap((def) => (typeof def?.app_id === "number" ? [def.app_id as number] : []))]
}

/** Apps whose fields the menu shows beside those of its own. */
export const appsNamed = (steps: ReadonlyArray<Step>): ReadonlyArray<number> => [
  ...new Set(
    steps.flatMap((step) =>
      step.type === "record_create" && typeof step.config["app_id"] === "number"
        ? [step.config["app_id"]]
        : collectedApps(step)
    )
  )
]

/** Collections that steps before have made. */
const collections = (before: ReadonlyArray<Step>, apps: ReadonlyMap<number, KnownApp>) =>
  [...new Set(before.flatMap(collectedApps))].map(
    (app_id): ReferenceChoice => ({
      label: texts.collectedRecordsName(apps.get(app_id)?.name ?? texts.appId(app_id)),
      from: before.findLast((step) => collectedApps(step).includes(app_id))!.id,
      reference: variable({ source: "action", action_type: "record_collection", app_id })
    })
  )

/** A reference means the latest step that gives it: of several alike, the last one stays. */
const latest = (choices: ReadonlyArray<ReferenceChoice>): ReadonlyArray<ReferenceChoice> => [
  ...new Map(choices.map((choice) => [keyOf(choice.reference), choice])).values()
]

export const groupsFor = (
  trigger: Definition["trigger"],
  before: ReadonlyArray<Step>,
  own: KnownApp,
  apps: ReadonlyMap<number, KnownApp>
): ReadonlyArray<ReferenceGroup> => {
  const type = trigger?.type ?? ""
  const record = withoutRecord.has(type) ? [] : own.fields
  const triggerDefs = trigger === null ? [] : variablesOf("", trigger.config)
  const groups: Array<ReferenceGroup> = [
    {
      group: texts.theRecord(own.name),
      choices: [
        ...record.map((field) => ({ label: field.label, reference: fieldReference(field) })),
        ...(withoutRecord.has(type) ? [] : Object.entries(metaTypes)).map(([meta_type, label]) => ({
          label,
          reference: variable({ source: "meta", meta_type })
        }))
      ]
    },
    {
      group: texts.beforeTheChange,
      choices:
        type === "record_updated"
          ? record.map((field) => ({
              label: texts.labelBefore(field.label),
              reference: fieldReference(field, { previous: true })
            }))
          : []
    },
    {
      group: texts.fromTheTrigger,
      choices: [
        ...(outputs[type] ?? []).map((trigger_type) => ({
          label: wordsOfToken(trigger_type),
          reference: variable({ source: "trigger", trigger_type })
        })),
        ...triggerDefs.map(({ custom_type, label }) => ({
          label,
          reference: variable({ source: "custom", custom_type, label })
        }))
      ]
    },
    {
      group: texts.variablesOfEarlierSteps,
      choices: latest(
        before.flatMap(({ config, id, type }) =>
          variablesOf(type, config).map(({ custom_type, label }) => ({
            label,
            from: id,
            reference: variable({ source: "custom", custom_type, label })
          }))
        )
      )
    },
    { group: texts.collectedRecords, choices: collections(before, apps) },
    ...[...new Set(before.flatMap(collectedApps))].map((app_id) => ({
      group: texts.eachCollectedRecordOf(apps.get(app_id)?.name ?? texts.appId(app_id)),
      choices: (apps.get(app_id)?.fields ?? []).map((field) => ({
        label: field.label,
        reference: fieldReference(field, { collection: true })
      }))
    })),
    {
      group: texts.createdRecords,
      choices: latest(
        before
          .filter((step) => step.type === "record_create" && typeof step.config["app_id"] === "number")
          .map((step) => {
            const app_id = step.config["app_id"] as number
            return {
              label: texts.createdRecord(apps.get(app_id)?.name ?? texts.appId(app_id)),
              from: step.id,
              reference: variable({ source: "action", action_type: "created_record", app_id })
            }
          })
      )
    },
    {
      group: texts.alwaysThere,
      choices: Object.entries(globals).map(([global_type, label]) => ({
        label,
        reference: variable({ source: "global", global_type })
      }))
    }
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

const differ = new Set(["previous", "collection", "triggering"])
/** References that mean the same have the same key: flags that are off, and apps that are clear, do not count. */
export const keyOf = (reference: Reference): string =>
  JSON.stringify(
    Object.entries(reference)
      .filter(([key, value]) => !(differ.has(key) && value === false))
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )

/** A reference in words, as its chip says it. */
export const wordsOf = (reference: Reference, apps: ReadonlyMap<number, KnownApp>): string => {
  const { app_id, collection, field_id, global_type, label, meta_type, name, previous, property, source } = reference
  const propertyWords = typeof property === "string" ? ` · ${wordsOfToken(property).toLowerCase()}` : ""
  const app = typeof app_id === "number" ? (apps.get(app_id)?.name ?? texts.appId(app_id)) : ""
  switch (source) {
    case "field": {
      const owningApp = [...apps.values()].find(({ fields }) => fields.some((field) => field.field_id === field_id))
      const field = owningApp?.fields.find((one) => one.field_id === field_id)?.label ?? texts.fieldId(String(field_id))
      return `${collection === true && owningApp !== undefined ? `${owningApp.name}: ` : ""}${field}${previous === true ? texts.before : ""}${propertyWords}`
    }
    case "meta":
      return `${metaTypes[meta_type as keyof typeof metaTypes] ?? String(meta_type)}${propertyWords}`
    case "global":
      return `${globals[global_type as keyof typeof globals] ?? String(global_type)}${propertyWords}`
    case "custom":
      return `${String(label)}${propertyWords}`
    case "secret":
      return texts.secret(String(name))
    case "action":
      return `${wordsOfToken(String(reference["action_type"]))}${app === "" ? "" : `: ${app}`}${propertyWords}`
    case "trigger": {
      const { key, key_path, trigger_type } = reference
      if (Array.isArray(key_path)) return texts.payloadPathPropertyWords(pathText(key_path), propertyWords)
      return `${wordsOfToken(String(trigger_type))}${typeof key === "string" ? `: ${key}` : ""}${propertyWords}`
    }
    default:
      return reference.kind === "value" ? wordsOfToken(String(reference["value_type"])) : texts.aValue
  }
}
