// Requests tokens from a provider's token endpoint (RFC 6749 2.3.1, 4.4, 6).
import { Effect, Schema } from "effect"
import { decodeText } from "../content/decodeText.ts"
import { Outbound } from "../outbound/Outbound.ts"
import { policies } from "../outbound/policies.ts"
import { tokenAnswerOf } from "./providerAnswer.ts"
import { makeProviderSealing, type ProviderRow } from "./providerRows.ts"

/** Error of a provider that gave no token. `message` says why, without secrets. */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  message: Schema.String,
  /** True if a later attempt may succeed. */
  passing: Schema.optionalKey(Schema.Boolean)
}) {}

const formEncoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1)

export const makeTokenRequest = Effect.gen(function* () {
  const outbound = yield* Outbound
  const { unseal } = yield* makeProviderSealing

  const request = Effect.fnUntraced(
    function* (row: ProviderRow) {
      const secret = row.client_secret === null ? "" : yield* unseal(row.org_id, "client_secret", row.client_secret)
      const form = new URLSearchParams({ grant_type: row.grant_type })
      if (row.refresh_token !== null && row.grant_type === "refresh_token")
        form.set("refresh_token", yield* unseal(row.org_id, "refresh_token", row.refresh_token))
      if (row.scope !== null) form.set("scope", row.scope)
      const basic = row.client_auth === "basic" && secret !== ""
      if (!basic) form.set("client_id", row.client_id)
      if (!basic && secret !== "") form.set("client_secret", secret)
      const credentials = Buffer.from(`${formEncoded(row.client_id)}:${formEncoded(secret)}`).toString("base64")
      const response = yield* outbound.request({
        method: "POST",
        url: row.token_url,
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          ...(basic ? { authorization: `Basic ${credentials}` } : {})
        },
        body: form.toString(),
        policy: policies.httpCall
      })
      const { text } = decodeText(response.body, response.headers["content-type"])
      if (response.status !== 200) {
        const code = /"error"\s*:\s*"([\w.-]{1,60})"/.exec(text)?.[1]
        const failureText = code === undefined ? `status ${response.status}` : `${code} (status ${response.status})`
        const passing = response.status === 429 || response.status >= 500
        return yield* new ProviderFailed({ message: `The token endpoint answered ${failureText}.`, passing })
      }
      return tokenAnswerOf(text)
    },
    Effect.catchTag("OutboundError", (e) =>
      Effect.fail(
        new ProviderFailed({ message: `The token endpoint gave no answer: ${e.message}`, passing: e.mayPass })
      )
    )
  )

  return request
})
