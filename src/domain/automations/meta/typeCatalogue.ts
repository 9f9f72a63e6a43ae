// The four meta endpoints, the published schema and the declarations of scripts, served from memory with an ETag (developer-api.md 3.4, 7.2, 8).
import type { Limits } from "../../../platform/config/sandboxLimits.ts"
import { type CachedContent, cacheContent, once } from "../../../platform/primitives/cachedContent.ts"
import { libraryVersions } from "../../../platform/sandbox/libraryVersions.ts"
import { type FieldTypeTag, isFieldType } from "../../records/fields/registry.ts"
import { catalogueTexts } from "./catalogueTexts.ts"
import { goneFromScripts, scriptNames } from "./scriptNames.ts"
import { scriptTypes } from "./scriptTypes.ts"

const texts = once(catalogueTexts)

export const triggerCatalogue = once(() => cacheContent(texts().triggers))
export const actionCatalogue = once(() => cacheContent(texts().actions))

export const isKnownFieldType = (text: string | undefined): text is FieldTypeTag => isFieldType(text)

const filterAnswers = once(
  () => new Map(Object.entries(texts().filters).map(([type, text]) => [type, cacheContent(text)]))
)
export const filterCatalogue = (type: FieldTypeTag): CachedContent => filterAnswers().get(type)!

export const publishedSchema = once(() => cacheContent(texts().automation))
export const declarations = once(() => cacheContent(texts().declarations))

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

/** Catalogue of script names, with the configured limits. */
export const scriptCatalogue = (expression: Limits, customCode: Limits): CachedContent =>
  cacheContent({
    names: scriptNames,
    types: scriptTypes,
    libraries: libraryVersions.map(([name, version]) => ({ package: name, version })),
    unavailable: goneFromScripts,
    limits: { expression: limitsShown(expression), custom_code: limitsShown(customCode) }
  })
