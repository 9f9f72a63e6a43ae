// Catalogue of automation parts as JSON texts (developer-api.md 3.4, 8). Generating them takes half a second of CPU time, so the built
// programs contain the texts from their build (bin/parts/build.js).
import { fieldTypeTags } from "../../records/fields/registry.ts"
import { actionSpec, actionTypes, outsideTypes } from "../actions/registry.ts"
import { object } from "../schema/combinators.ts"
import { fieldKinds, operatorSets, operators } from "../schema/operators.ts"
import { Retry } from "../schema/RetryPolicy.ts"
import { triggers } from "../triggers/registry.ts"
import { automationSchema, jsonSchemaOf } from "./definitionSchema.ts"
import { scriptDeclarations } from "./scriptDeclarations.ts"

const triggerTypes = () =>
  Object.values(triggers).map(({ config, description, label, readOnly, type }) => ({
    type,
    label,
    description,
    config_schema: jsonSchemaOf(object({ ...config.fields, ...readOnly }))
  }))

const actions = () =>
  actionTypes.map((type) => {
    const { config, description, group, label } = actionSpec(type)
    return { type, group, label, description, config_schema: jsonSchemaOf(config) }
  })

const operatorsOf = (type: (typeof fieldTypeTags)[number]) =>
  operatorSets[fieldKinds[type].set].map((operator) => ({
    operator,
    label: operators[operator].label,
    description: operators[operator].description,
    value_arity: operators[operator].arity
  }))

export interface CatalogueTexts {
  readonly triggers: string
  readonly actions: string
  /** Operators by field type. */
  readonly filters: Readonly<Record<string, string>>
  /** JSON Schema of an automation. */
  readonly automation: string
  /** TypeScript declarations for scripts. */
  readonly declarations: string
}

export const catalogueTexts = (): CatalogueTexts => ({
  triggers: JSON.stringify({ triggers: triggerTypes() }),
  actions: JSON.stringify({ actions: actions(), retry: { types: outsideTypes, schema: jsonSchemaOf(Retry) } }),
  filters: Object.fromEntries(
    fieldTypeTags.map((type) => [type, JSON.stringify({ field_type: type, operators: operatorsOf(type) })])
  ),
  automation: JSON.stringify(automationSchema()),
  declarations: scriptDeclarations()
})
