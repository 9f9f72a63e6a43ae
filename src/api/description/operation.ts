// An operation as its definition makes it: what it needs and costs (developer-api.md 1.6, 2.4), the headers that it takes and gives (1.8;
// RFC 9110 13.1), who may call it, and how it may fail.
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { OwnHeaders } from "../middleware/answerHeaders.ts"
import { IfMatch } from "../middleware/ifMatch.ts"
import { takesKey } from "../middleware/payload.ts"
import { Prefers } from "../middleware/prefer.ts"
import { type Requirement, Requires } from "../middleware/Requires.ts"
import { ReleaseEtag } from "../middleware/releaseEtags.ts"
import { callerHeaders, headersOf } from "./answerHeaders.ts"
import { errorAnswers } from "./errorAnswers.ts"
import { boundsOf } from "./parameterBounds.ts"
import { explainParameter } from "./parameterTexts.ts"

type Json = Record<string, any>

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const text = { type: "string" }
const inHeader = (name: string, description: string, schema: Json = text) => ({
  name,
  in: "header",
  required: false,
  description,
  schema
})

export const sharedParameters: Json = {
  IdempotencyKey: inHeader(
    "Idempotency-Key",
    "The first answer below 500 is stored for 24 h and replayed; the same key with another body is a 409",
    { type: "string", minLength: 1, maxLength: 255 }
  ),
  IfMatchRevision: inHeader("If-Match", 'The `revision` that is changed, such as `"4"`; another one by now is a 409'),
  IfMatchVersion: inHeader("If-Match", 'The `version` that is changed, such as `"4"`; another one by now is a 409'),
  Prefer: inHeader(
    "Prefer",
    "`return=minimal` answers with `record_id`, `app_record_id` and `created_on` alone (RFC 7240)"
  ),
  IfNoneMatch: inHeader("If-None-Match", "An `ETag` that the caller has: the answer is an empty 304 while it holds")
}

const rules = ({ cost = 1, costPer100Megabytes, scope }: Requirement) => {
  const times = cost === 1 ? "the base credits" : `${cost} times the base credits`
  return [
    scope === undefined ? "Needs no scope." : `Needs the scope \`${scope}\`.`,
    costPer100Megabytes === undefined
      ? `Costs ${times}.`
      : `Costs ${times}, and ${costPer100Megabytes} times more for every 100 MB.`
  ]
}

/** Adds the headers to successful answers. A description that is only a schema's name is replaced. */
const succeeding = (responses: Json, headers: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, { description, ...answer }]) => [
        status,
        {
          description: description.includes(" ") ? description : "Success",
          ...answer,
          headers: { ...answer["headers"], ...headers }
        }
      ])
  )

export const describeOperation = (operation: Json, endpoint: HttpApiEndpoint.Top, path: string): Json => {
  const requirement = Context.get(endpoint.annotations, Requires)
  const ifMatch = Context.get(endpoint.annotations, IfMatch)
  const cached = Context.get(endpoint.annotations, ReleaseEtag)
  const keyed = takesKey(endpoint)
  const { bearerOnly, bodyOptional, scope } = requirement
  const generatedAnswers = operation["responses"] as Json
  const headers = {
    ...callerHeaders,
    ...(keyed ? headersOf("Idempotency-Replayed") : {}),
    ...(cached ? headersOf("ETag", "Cache-Control") : {}),
    ...headersOf(...Context.get(endpoint.annotations, OwnHeaders))
  }
  const bounded = boundsOf(endpoint)
  return {
    ...operation,
    description: [operation["description"], ...rules(requirement)].join(" "),
    ...(bodyOptional === true ? { requestBody: { ...operation["requestBody"], required: false } } : {}),
    parameters: [
      ...(operation["parameters"] ?? []).map(bounded).map(explainParameter),
      ...(keyed ? [parameter("IdempotencyKey")] : []),
      ...(ifMatch === undefined ? [] : [parameter(ifMatch === "revision" ? "IfMatchRevision" : "IfMatchVersion")]),
      ...(Context.get(endpoint.annotations, Prefers) ? [parameter("Prefer")] : []),
      ...(cached ? [parameter("IfNoneMatch")] : [])
    ],
    security: [
      { bearer: [] },
      ...(bearerOnly === true ? [] : [{ basic: [] }]),
      { oauth2: scope === undefined ? [] : [scope] }
    ],
    responses: {
      ...succeeding(generatedAnswers, headers),
      ...(cached ? { 304: { description: "The caller has it", headers } } : {}),
      ...errorAnswers(endpoint, generatedAnswers, path)
    }
  }
}
