// Short templates in the text boxes (docs/api.md "Short templates"): the names of a place, placeholders that become chips as they are typed, and
// those that name nothing.
import { indexNames } from "../../../../../../src/domain/automations/templates/nameIndex.ts"
import { type Placeholder, placeholdersIn } from "../../../../../../src/domain/automations/templates/placeholders.ts"
import { makeResolver, type ResolvePath } from "../../../../../../src/domain/automations/templates/references.ts"
import { makeShortForms } from "../../../../../../src/domain/automations/templates/shortForms.ts"
import { type TemplateApp, variablesOf } from "../../../../../../src/domain/automations/templates/templateNames.ts"
import { templates as texts } from "../../../../texts/automations/editorModel.ts"
import { chipOf } from "./chips.ts"
import type { Definition, Reference } from "./definition.ts"
import type { KnownApp } from "./references.ts"
import type { Step } from "./steps.ts"

const templateApp = ({ app_id, external_id, fields, name }: KnownApp): TemplateApp => ({
  app_id,
  name: external_id ?? name,
  label: name,
  fields: fields.map((field) => ({ ...field, name: field.external_id ?? field.label }))
})

/** @param earlierSteps steps whose variables can be named */
export const templatesAt = (
  trigger: Definition["trigger"],
  earlierSteps: ReadonlyArray<Step>,
  own: KnownApp,
  apps: ReadonlyMap<number, KnownApp>
) => {
  const templateApps = [...apps.values()].map(templateApp)
  const index = indexNames({
    own: templateApps.find(({ app_id }) => app_id === own.app_id) ?? templateApp(own),
    apps: templateApps,
    appNames: templateApps.flatMap(({ label, name }) => [name, label]),
    inputs: trigger === null ? [] : variablesOf("", trigger.config),
    steps: earlierSteps.map(({ config, custom_name, type }) => ({
      ...(custom_name === undefined ? {} : { name: custom_name }),
      variables: variablesOf(type, config)
    }))
  })
  const resolve = makeResolver(index)
  return { resolve, shortForm: makeShortForms(index, resolve) }
}

/** Resolves only what the box takes: a secret stands where its value cannot be read back. */
export const withoutSecrets =
  (resolve: ResolvePath): ResolvePath =>
  (path, as) =>
    path[0] === "secrets"
      ? {
          mistake: texts.secretStandsInHttpRequests
        }
      : resolve(path, as)

interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Chips and literals in place of the placeholders that a change between two positions has completed. */
export const completedPlaceholders = (
  text: string,
  from: number,
  to: number,
  resolve: ResolvePath
): ReadonlyArray<TextChange> =>
  placeholdersIn(text).flatMap((placeholder) => {
    if (placeholder.to <= from || placeholder.from >= to) return []
    const insert = insertFor(placeholder, resolve)
    return insert === undefined ? [] : [{ from: placeholder.from, to: placeholder.to, insert }]
  })

const insertFor = ({ content }: Placeholder, resolve: ResolvePath): string | undefined => {
  if ("text" in content) return content.text
  const resolved = "path" in content ? resolve(content.path, content.as) : content
  return "value" in resolved ? chipOf(resolved.value as unknown as Reference) : undefined
}

/** Placeholders of a text that name nothing, each with the nearest name where there is one. */
export const unknownNames = (text: string, resolve: ResolvePath): ReadonlyArray<string> => [
  ...new Set(
    placeholdersIn(text).flatMap(({ content, from, to }) => {
      const resolved = "path" in content ? resolve(content.path, content.as) : undefined
      return resolved !== undefined && "mistake" in resolved ? [`${text.slice(from, to)}: ${resolved.mistake}`] : []
    })
  )
]
