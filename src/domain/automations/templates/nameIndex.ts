// Names of a place, found by what they are called (our extension, docs/api.md "Short templates"). Pure, so that the console shares it.
import type { TemplateNames } from "./templateNames.ts"

const indexBy = <T>(all: Iterable<T>, keysOf: (one: T) => Iterable<string>): ReadonlyMap<string, ReadonlyArray<T>> => {
  const byKey = new Map<string, Array<T>>()
  for (const one of all)
    for (const key of new Set(keysOf(one))) {
      const list = byKey.get(key)
      if (list === undefined) byKey.set(key, [one])
      else list.push(one)
    }
  return byKey
}

/** Built once for many short forms, each of which is then found without a search. */
export const indexNames = (names: TemplateNames) => {
  const variables = [...names.inputs, ...names.steps.flatMap((step) => step.variables)]
  return {
    names,
    appsByName: indexBy(names.apps, ({ label, name }) => [name, label]),
    appsById: new Map(names.apps.map((app) => [app.app_id, app])),
    fieldsByName: new Map(
      names.apps.map((app) => [app.app_id, indexBy(app.fields, ({ label, name }) => [name, label])])
    ),
    fieldsById: new Map(names.apps.flatMap((app) => app.fields.map((field) => [field.field_id, { app, field }]))),
    variablesByLabel: indexBy(variables, ({ label }) => [label]),
    stepsByName: indexBy(names.steps, ({ name }) => (name === undefined ? [] : [name])),
    stepOf: new Map(names.steps.flatMap((step) => step.variables.map((one) => [one, step])))
  }
}
export type NameIndex = ReturnType<typeof indexNames>
