// The four meta endpoints, the published schema and the declarations of scripts, built once and served from memory with an ETag (developer-api.md 3.4, 7.2, 8).
import type { Limits } from "../../../ground/config/sandboxLimits.ts"
import { once, type Stored, stored } from "../../../ground/primitives/servedOnce.ts"
import { type FieldTypeTag, fieldTypeTags, isFieldType } from "../../records/fields/registry.ts"
import { actionSpec, actionTypes, outsideTypes } from "../actions/registry.ts"
import { object } from "../schema/combinators.ts"
import { fieldKinds, operatorSets, operators } from "../schema/operators.ts"
import { Retry } from "../schema/RetryPolicy.ts"
import { triggers } from "../triggers/registry.ts"
import { automationSchema, jsonSchemaOf } from "./definitionSchema.ts"
import { libraryVersions, scriptDeclarations } from "./scriptDeclarations.ts"
import { goneFromScripts, scriptNames } from "./scriptNames.ts"
import { scriptTypes } from "./scriptTypes.ts"

export const triggerCatalogue = once(() =>
  stored({
    triggers: Object.values(triggers).map(({ config, description, label, readOnly, type }) => ({
      type,
      label,
      description,
      config_schema: jsonSchemaOf(object({ ...config.fields, ...readOnly }))
    }))
  })
)

export const actionCatalogue = once(() =>
  stored({
    actions: actionTypes.map((type) => {
      const { config, description, group, label } = actionSpec(type)
      return { type, group, label, description, config_schema: jsonSchemaOf(config) }
    }),
    retry: { types: outsideTypes, schema: jsonSchemaOf(Retry) }
  })
)

export const isKnownFieldType = (text: string | undefined): text is FieldTypeTag => isFieldType(text)

const filterAnswers = once(
  () =>
    new Map(
      fieldTypeTags.map((type) => [
        type,
        stored({
          field_type: type,
          operators: operatorSets[fieldKinds[type].set].map((operator) => ({
            operator,
            label: operators[operator].label,
            description: operators[operator].description,
            value_arity: operators[operator].arity
          }))
        })
      ])
    )
)
export const filterCatalogue = (type: FieldTypeTag): Stored => filterAnswers().get(type)!

export const publishedSchema = once(() => stored(automationSchema()))

const limitsShown = (limits: Limits) => ({
  cpu_ms: limits.cpuMillis,
  wall_ms: limits.wallMillis,
  memory_mib: limits.memoryMiB,
  result_bytes: limits.resultBytes,
  log_bytes: limits.logBytes,
  source_bytes: limits.sourceBytes,
  http_calls: limits.httpCalls,
  api_calls: limits.apiCalls,
  calls_at_once: limits.concurrentCalls,
  http_response_bytes: limits.httpResponseBytes
})

/** With the limits that are configured. */
export const scriptCatalogue = (expression: Limits, customCode: Limits): Stored =>
  stored({
    names: scriptNames,
    types: scriptTypes,
    libraries: libraryVersions.map(([name, version]) => ({ package: name, version })),
    unavailable: goneFromScripts,
    limits: { expression: limitsShown(expression), custom_code: limitsShown(customCode) }
  })

export const declarations = once(() => stored(scriptDeclarations()))

/** Builds everything: half a second of computing that no request should wait for. */
export const buildCatalogues = () => {
  triggerCatalogue()
  actionCatalogue()
  filterAnswers()
  publishedSchema()
  declarations()
}
