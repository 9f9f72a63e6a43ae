// Reads short forms that name apps and fields (our extension, docs/api.md "Short templates"): by external id, which goes first, or by label.
// Pure, so that the console shares it.
import type { NameIndex } from "./nameIndex.ts"
import type { TemplatePath } from "./placeholders.ts"
import type { TemplateApp } from "./templateNames.ts"
import { flagsOf, ofOwnApp } from "./templateWords.ts"
import { hint, quote, refuse, type ValueObject, variable, withProperty } from "./unknownName.ts"

/** Fields with the external id, else fields with the label. */
const preferred = <T extends { readonly name: string }>(matches: ReadonlyArray<T>, name: string): ReadonlyArray<T> => {
  const exactMatches = matches.filter((one) => one.name === name)
  return exactMatches.length > 0 ? exactMatches : matches
}

export const makeFieldReader = ({ appsByName, fieldsByName, names }: NameIndex) => {
  const appNamed = (name: string | number | undefined): TemplateApp => {
    if (name === undefined) return refuse("expected the name of an app")
    const [app, ...otherApps] = preferred(appsByName.get(String(name)) ?? [], String(name))
    if (app === undefined) return refuse(`there is no app ${quote(name)}${hint(name, names.appNames)}`)
    return otherApps.length === 0 ? app : refuse(`${otherApps.length + 1} apps are called ${quote(name)}`)
  }

  const fieldValue = (head: keyof typeof flagsOf, path: TemplatePath): ValueObject => {
    const isOwn = ofOwnApp.has(head)
    const app = isOwn ? names.own : appNamed(path[1])
    if (app === undefined) return refuse("the app of these fields is not known")
    const [name, ...propertyPath] = path.slice(isOwn ? 1 : 2)
    if (name === undefined) return refuse(`expected the name of a field of the app ${quote(app.label)}`)
    const [field, ...otherFields] = preferred(fieldsByName.get(app.app_id)?.get(String(name)) ?? [], String(name))
    if (field === undefined) {
      const fieldNames = app.fields.flatMap((one) => [one.name, one.label])
      return refuse(`the app ${quote(app.label)} has no field ${quote(name)}${hint(name, fieldNames)}`)
    }
    if (otherFields.length > 0)
      return refuse(`${otherFields.length + 1} fields are called ${quote(name)}; name one by its external id`)
    const { field_id, field_type } = field
    const flags = { previous: false, collection: false, triggering: false, ...flagsOf[head] }
    return withProperty(variable({ source: "field", field_id, field_type, ...flags }), propertyPath)
  }

  return { appNamed, fieldValue }
}
