// Lists the errors that the middleware may answer for an endpoint, before and around its handler (developer-api.md 1.5). The endpoint's own
// list holds those of the handler.
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ErrorCode } from "./errorCodes.ts"
import { jsonPayload, takesKey } from "./payload.ts"
import { type Guard, Requires } from "./Requires.ts"

/** The level with which a resource is seen at all: of a workspace the name may be read without any on what is in it. */
const levelToSee = ({ kind }: Guard) => (kind === "workspace" ? 0 : 1)

/** A limit out of range is a rule that is broken, no malformed query. */
const takesLimit = ({ query }: HttpApiEndpoint.Top) =>
  query?.ast._tag === "Objects" && query.ast.propertySignatures.some(({ name }) => name === "limit")

export const middlewareCodes = (endpoint: HttpApiEndpoint.Top): ReadonlySet<ErrorCode> => {
  const { guard, scope } = Context.get(endpoint.annotations, Requires)
  const json = jsonPayload(endpoint) !== undefined
  const may: ReadonlyArray<readonly [boolean, ReadonlyArray<ErrorCode>]> = [
    [true, ["dev_api_authentication", "dev_api_invalid_access_token", "too_many_requests"]],
    [true, ["internal_server_error", "service_unavailable"]],
    [endpoint.params !== undefined || endpoint.query !== undefined, ["invalid_request_url"]],
    [json, ["invalid_request", "input_validation", "validation"]],
    [takesLimit(endpoint), ["validation"]],
    [json && endpoint.payload.size > 0, ["invalid_json"]],
    [takesKey(endpoint), ["conflict_error"]],
    [scope !== undefined, ["forbidden"]],
    [guard !== undefined && guard.level > levelToSee(guard) && guard.hide !== true, ["restricted_resource"]],
    [guard !== undefined, [guard?.kind === "record" ? "record_not_exists" : "not_found"]]
  ]
  return new Set(may.flatMap(([applies, list]) => (applies ? list : [])))
}
