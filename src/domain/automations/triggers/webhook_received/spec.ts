// Trigger `webhook_received` (developer-api.md 7.5, 7.9): `webhook_url` is the service's, minted when the trigger is first saved.
import { Schema } from "effect"
import { token } from "../../../../platform/bounds/sized.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { secretProblem, triggerSecretCodes } from "../../schema/DefinitionScope.ts"
import { Reference, Template, template } from "../../schema/dynamicValues.ts"
import { isOfFiles } from "../../schema/fileReferences.ts"
import { contentTypePattern, ResponseHeaders } from "../../schema/responseHeaders.ts"
import { SenderProof, secretsOfTrigger } from "../../schema/SenderProof.ts"
import { trigger } from "../spec.ts"

export const webhook_received = trigger({
  type: "webhook_received",
  label: "Webhook received",
  description: "An inbound webhook is received",
  context: "none",
  firedBy: [],
  outputs: [
    ...(["webhook_payload", "webhook_payload_property", "webhook_file_collection"] as const),
    ...(["webhook_headers", "webhook_query", "webhook_raw_body"] as const)
  ],
  config: {
    response_mode: Schema.Literals(["immediate", "sync"]).pipe(withDefault("immediate")),
    response_status: Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })).pipe(withDefault(200)),
    response_status_value: unset(Template),
    response_headers: unset(ResponseHeaders),
    response_content_type: token.check(Schema.isPattern(contentTypePattern)).pipe(withDefault("application/json")),
    response_body: template,
    response_file: unset(
      Reference.annotate({ description: "A file as the body; `response_body` where there is none" })
    ),
    response_redirect: unset(Template),
    response_timeout_seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })).pipe(withDefault(20)),
    verification: unset(SenderProof)
  },
  check: function* (config, model) {
    for (const name of secretsOfTrigger(config)) {
      const problem = secretProblem(name, { model })
      if (problem !== undefined) yield { code: triggerSecretCodes[problem.kind], message: problem.message }
    }
    if (config.response_file !== undefined && !isOfFiles(config.response_file))
      yield { code: "trigger_variable_missing", message: "`response_file` does not refer to files." }
  },
  readOnly: {
    webhook_url: Schema.optionalKey(
      Schema.String.annotate({ readOnly: true, description: "Where the sender posts to; assigned by the service" })
    )
  }
})
