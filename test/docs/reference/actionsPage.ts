// docs/actions.md from the catalogue of actions (src/domain/automations/actions/*/spec.ts) and one example of each type.
import {
  type ActionType,
  type AnyActionSpec,
  actionSpec,
  actionTypes,
  outsideTypes
} from "../../../src/domain/automations/actions/registry.ts"
import { customTypes } from "../../../src/domain/automations/schema/customVariables.ts"
import { read } from "../passages.ts"
import { type ActionWords, actionWords, collectStep } from "./actionExamples.ts"
import { code, jsonBlock, listed, page, sentence, table } from "./markdown.ts"
import { actionMeanings } from "./memberMeanings.ts"
import { type JsonSchema, type MemberWords, makeRows } from "./schemaMembers.ts"
import { valueRows, valueTypes } from "./valueTypes.ts"

/** An action as `GET /v1/automation/meta/action` answers it. */
interface ListedAction {
  readonly type: ActionType
  readonly label: string
  readonly description: string
  readonly config_schema: JsonSchema
}
export interface ActionCatalogue {
  readonly actions: ReadonlyArray<ListedAction>
  readonly retry: { readonly schema: JsonSchema }
}

const triggerNeeds = {
  record: "a trigger with a record",
  comment: "the trigger `record_comment_or_reply_created`",
  weblink: "the trigger `weblink_clicked`"
}

const neededMembers = (spec: AnyActionSpec): ReadonlySet<string> =>
  new Set([
    ...(spec.needs ?? []).map(({ key }) => key),
    ...(spec.consumes === "collection" ? ["record_collection"] : []),
    ...(spec.calls === undefined ? [] : ["automation_id"])
  ])

const hasMember = (spec: AnyActionSpec, key: string) => Object.hasOwn(spec.config.fields ?? {}, key)

const publishedBy = (spec: AnyActionSpec, { config_schema }: ListedAction): string => {
  if (spec.produces === "record_collection")
    return "A collection of records, one for each app: the output `record_collection`."
  if (spec.produces === "created_record") return "The record: the output `created_record`."
  if (spec.consumes === "collection") return "The collection, changed in place."
  const def = config_schema.properties?.["custom_variable_def"]?.default as
    | { custom_type: string; label: string }
    | undefined
  if (def !== undefined)
    return `The variable of \`custom_variable_def\`, by default \`${def.label}\` of type \`${def.custom_type}\`.`
  if (hasMember(spec, "custom_variable_defs")) return "The variables of `custom_variable_defs`."
  if (hasMember(spec, "wait_for_result")) return "With `wait_for_result`, the variables of the called run."
  return "Nothing."
}

/** True if the runtime works on each record by itself, which costs a credit each. */
const worksOnEach = (type: ActionType) =>
  existsRuntime(type) && /\beach\(/.test(read(`src/domain/automations/actions/${type}/run.ts`))
const existsRuntime = (type: ActionType) => ["database", "outside", "call"].includes(actionSpec(type).kind)

const costOf = (spec: AnyActionSpec): string => {
  if (spec.group === "control_flow") return "Nothing; the steps inside cost what they cost."
  return worksOnEach(spec.type) ? "1 credit for each record." : "1 credit."
}

const refusalsOf = (spec: AnyActionSpec, { refused }: ActionWords): ReadonlyArray<string> => [
  ...(spec.requires === undefined ? [] : [`the automation lacks ${triggerNeeds[spec.requires]} (\`action_invalid\`)`]),
  ...(spec.needs ?? []).map(({ code: reason, key }) => `\`${key}\` is not set (\`${reason}\`)`),
  ...(spec.consumes === "collection" ? ["`record_collection` is not set (`action_variable_missing`)"] : []),
  ...(spec.consumes === "or_loop_item"
    ? ["`record_collection` is not set outside of a loop over records (`action_variable_missing`)"]
    : []),
  ...(spec.calls === undefined
    ? []
    : [
        `the target is missing (\`action_automation_missing\`), or is none of the same app with the trigger \`${spec.calls}\` (\`action_automation_invalid\`)`,
        "the target has no such input (`action_call_argument_invalid`)"
      ]),
  ...(spec.assigns === undefined ? [] : ["an assignment does not fit its field (`field_assignment_…`)"]),
  ...(refused === undefined ? [] : [refused])
]

const factsOf = (listedAction: ListedAction): string => {
  const spec = actionSpec(listedAction.type)
  const words = actionWords[listedAction.type]
  const refusals = refusalsOf(spec, words)
  const scopes = spec.scopes.map(code)
  return [
    `- **Publishes:** ${words.publishes ?? publishedBy(spec, listedAction)}`,
    `- **Costs:** ${costOf(spec)}`,
    ...(scopes.length === 0
      ? []
      : [`- **Needs the scope** ${listed(scopes)}, of the credential that saves the automation.`]),
    ...(refusals.length === 0 ? [] : [`- **Refused by \`activate\` when** ${refusals.join("; ")}.`]),
    words.fails === null ? "- **Fails:** never of its own." : `- **Fails when** ${words.fails}.`,
    ...(spec.kind === "outside" ? ["- **Retries:** as its [`retry`](#members-of-every-action) says."] : [])
  ].join("\n")
}

export const actionMemberWords = (): Omit<MemberWords, "needed"> => ({
  meanings: actionMeanings,
  used: new Set(),
  valueTypes
})

const sectionOf = (listedAction: ListedAction, words: Omit<MemberWords, "needed">): string => {
  const { config_schema, description, label, type } = listedAction
  const needed = neededMembers(actionSpec(type))
  const { membersOf } = makeRows(config_schema, type, { ...words, needed })
  const { about, config } = actionWords[type]
  return page([
    `## ${type}`,
    `*${label}.* ${sentence(description)}${about === undefined ? "" : ` ${about}`}`,
    membersOf(config_schema) || "It has no members.",
    jsonBlock({ type, config }),
    factsOf(listedAction)
  ]).trimEnd()
}

const members: ReadonlyArray<ReadonlyArray<string>> = [
  ["`id`", "Opaque; minted when left out. Logs and reports of mistakes name the step by it"],
  ["`type`, `config`", "The type, and its members below. An unknown member is a 400"],
  ["`custom_name`", "Name of the step in the log, 5,000 characters at most"],
  ["`deactivate`", "`true` removes the step, and all inside, before the run starts"],
  ["`continue_on_error`", "`true` goes on after a failure; the reference `most_recent_error` reads it"],
  ["`retry`", `Attempts after a fault that may pass, of ${listed(outsideTypes.map(code))}`]
]

const retryWords: MemberWords = {
  meanings: {},
  used: new Set(),
  valueTypes: new Map(),
  needed: new Set()
}

const introduction = ({ retry }: ActionCatalogue): ReadonlyArray<string> => [
  "# Actions",
  `Steps that an automation runs, in their order. Each section has an example that can be sent as it stands, with ids of your own.
\`GET /v1/automation/meta/action\` answers the same as JSON Schema, \`/v1/automation/schema.json\` the schema of a whole automation.
[Triggers](triggers.md) start a run, [field types](fields.md) say what a field takes.`,
  table(
    ["Action", "What it does"],
    actionTypes.map((type) => [`[\`${type}\`](#${type})`, actionSpec(type).description])
  ),
  "## Members of every action",
  table(["Member", "Meaning"], members),
  "`retry` takes these members:",
  makeRows(retry.schema, "retry", retryWords).membersOf(retry.schema),
  "## Values",
  "A member takes a fixed value, or one of these:",
  table(["Value", "Form"], valueRows),
  `Types of variables are ${listed(customTypes.map(code))}. A script reads a variable by \`var_\` and its label in lower case: \`Unit price\` is \`var_unit_price\`.`,
  "## Costs and failures",
  `Credits count against two limits: those of a run (\`RUN_ACTIONS_MAX\`) and those of the organization's hour (\`CREDITS_PER_HOUR\`), both in
[Settings](settings.md). A run that needs more than its own fails; without any left in the hour it waits for the next.`,
  `A step that fails ends the run as \`failed\`, unless it has \`continue_on_error\`. A value that cannot be computed fails any step. A mistake in
the definition is found earlier: \`validate\` lists it, \`activate\` refuses it. Steps read and change records with the rights of the automation's owner.`,
  `Examples that read a collection (\`record_collection\`, or \`"collection": true\`) stand behind this step:`,
  jsonBlock(collectStep)
]

export const actionsPage = (catalogue: ActionCatalogue, words: Omit<MemberWords, "needed">): string =>
  page([...introduction(catalogue), ...catalogue.actions.map((listedAction) => sectionOf(listedAction, words))])
