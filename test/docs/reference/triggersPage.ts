// docs/triggers.md from the catalogue of triggers (src/domain/automations/triggers/*/spec.ts) and one example of each type.
import { MAX_DEPTH } from "../../../src/domain/automations/firing/firing.ts"
import { operatorSets, payloadKinds, triggerOutputKinds } from "../../../src/domain/automations/schema/operators.ts"
import { dataTypes } from "../../../src/domain/automations/schema/referenceTypes.ts"
import type { TriggerOutput } from "../../../src/domain/automations/schema/Trigger.ts"
import { type TriggerType, triggers } from "../../../src/domain/automations/triggers/registry.ts"
import { code, jsonBlock, listed, page, sentence, table } from "./markdown.ts"
import { triggerMeanings } from "./memberMeanings.ts"
import { type JsonSchema, type MemberWords, makeRows } from "./schemaMembers.ts"
import { contextWords, outputMeanings, triggerWords } from "./triggerExamples.ts"
import { valueTypes } from "./valueTypes.ts"

export interface TriggerCatalogue {
  readonly triggers: ReadonlyArray<{
    readonly type: TriggerType
    readonly label: string
    readonly description: string
    readonly config_schema: JsonSchema
  }>
}

export const triggerMemberWords = (): MemberWords => ({
  meanings: triggerMeanings,
  used: new Set(),
  valueTypes: new Map(
    [...valueTypes].map(([name, type]) => [
      name,
      { ...type, shown: type.shown.replace("(#values)", "(actions.md#values)") }
    ])
  ),
  needed: new Set(["date_field_id"])
})

const operatorsOf = (output: TriggerOutput): string => {
  if (output === "webhook_payload_property") return "those of its `data_type`"
  if (output === "webhook_headers" || output === "webhook_query")
    return `with \`key\`: ${operatorSets[payloadKinds.text.set].map(code).join(", ")}`
  return output in triggerOutputKinds
    ? operatorSets[triggerOutputKinds[output as keyof typeof triggerOutputKinds].set].map(code).join(", ")
    : "none"
}

const outputsOf = (type: TriggerType): string => {
  const { outputs } = triggers[type]
  return outputs.length === 0
    ? ""
    : table(
        ["Output (`trigger_type`)", "What it is", "Operators of conditions"],
        outputs.map((output) => [code(output), outputMeanings[output], operatorsOf(output)])
      )
}

const sectionOf = (
  { config_schema, description, label, type }: TriggerCatalogue["triggers"][number],
  words: MemberWords
) => {
  const { context, firedBy } = triggers[type]
  const { about, config, reads, refused, silent, source } = triggerWords[type]
  return page([
    `## ${type}`,
    `*${label}.* ${sentence(description)} ${about}`,
    makeRows(config_schema, type, words).membersOf(config_schema) || "It has no members.",
    jsonBlock({ trigger: { type, config } }),
    outputsOf(type),
    "A step reads, for instance:",
    jsonBlock(reads),
    [
      `- **Fired by:** ${source ?? listed(firedBy.map(code))}.`,
      `- **Gives steps:** ${contextWords[context]}.`,
      `- **Does not fire when** ${silent}.`,
      ...(refused === undefined ? [] : [`- **Refused by \`activate\` when** ${refused}.`])
    ].join("\n")
  ]).trimEnd()
}

const introduction = ({ triggers: all }: TriggerCatalogue): ReadonlyArray<string> => [
  "# Triggers",
  `What starts an automation. Each section has an example that can be sent as it stands, with ids of your own. \`GET /v1/automation/meta/trigger\`
answers the same as JSON Schema. [Actions](actions.md) are the steps that follow.`,
  table(
    ["Trigger", "When it fires"],
    all.map(({ description, type }) => [`[\`${type}\`](#${type})`, description])
  ),
  "## What holds for all",
  [
    "- A trigger fires for an automation that is active. Its filter then decides whether a run begins.",
    "- A trigger costs nothing. Runs cost what their [actions](actions.md#costs-and-failures) cost.",
    `- A run that another run causes carries a depth; beyond ${MAX_DEPTH} no further run begins.`,
    "- Runs of one automation on one record begin in the order of their events.",
    "- The outputs below are references of the source `trigger`; [Values and references](references.md) has all sources.",
    `- A property of a payload has one of the types ${listed(dataTypes.map(code))}; with \`any\` the value decides.`
  ].join("\n")
]

export const triggersPage = (catalogue: TriggerCatalogue, words: MemberWords): string =>
  page([...introduction(catalogue), ...catalogue.triggers.map((trigger) => sectionOf(trigger, words))])
