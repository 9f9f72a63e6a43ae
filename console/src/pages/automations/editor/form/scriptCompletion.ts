// Completion in scripts, from what the service declares that they find (docs/scripts.md): names, fields of the record, variables of steps.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { chipOf } from "../model/chips.ts"
import type { KnownApp, ReferenceGroup } from "../model/references.ts"

interface ScriptName {
  readonly name: string
  readonly where: string
  readonly type: string
  readonly description: string
}

const recordMembers = ["record_id", "app_record_id", "title", "record_url", "fields"]

/** `var_` and the label, as scripts see a variable (developer-api.md 7.7 rule 1). */
const variableName = (label: string) => `var_${label.toLowerCase().replace(/[^a-z0-9_$]/g, "_")}`

export const scriptCompletion = (
  names: ReadonlyArray<ScriptName>,
  app: KnownApp,
  groups: ReadonlyArray<ReferenceGroup>
) => {
  const variables = groups
    .flatMap(({ choices }) => choices)
    .flatMap(({ label, reference }) => (reference["source"] === "custom" ? [variableName(label)] : []))
  const values = groups.flatMap(({ choices, group }) =>
    choices.map((one) => ({ label: one.label, detail: ` ${group}`, type: "variable", apply: chipOf(one.reference) }))
  )
  return (context: CompletionContext): CompletionResult | null => {
    const member = context.matchBefore(/[\w$]+\.[\w$]*/) ?? null
    const word = context.matchBefore(/[\w$]*/)
    if (member !== null) {
      const [owner = ""] = member.text.split(".")
      const from = member.from + owner.length + 1
      if (owner === "fields")
        return {
          from,
          options: app.fields.flatMap(({ external_id, label }) =>
            external_id === undefined ? [] : [{ label: external_id, detail: ` ${label}` }]
          )
        }
      if (owner.endsWith("record"))
        return { from, options: recordMembers.map((label) => ({ label, type: "property" })) }
      return null
    }
    if (word === null || (word.text === "" && !context.explicit)) return null
    return {
      from: word.from,
      options: [
        ...names.map(({ description, name, type }) => ({ label: name, detail: ` ${type}`, info: description })),
        ...variables.map((label) => ({ label, type: "variable" })),
        ...values
      ]
    }
  }
}
