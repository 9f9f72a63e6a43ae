// Address of `webhook_received` (developer-api.md 7.9): its token is found by hash and shown by decrypting (decisions O9).
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { sealedColumn } from "../../../platform/sealing/SealedColumn.ts"
import { hashToken, randomToken, Secrets } from "../../../platform/sealing/Secrets.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

export const inboundAddress = sealedColumn({
  table: "automations",
  key: ["automation_id"],
  column: "inbound_sealed",
  form: "bytea",
  binds: [],
  context: () => "automations/inbound"
})

const CONTEXT = inboundAddress.contextOf({})

export interface InboundToken {
  readonly hash: Uint8Array
  readonly sealed: Uint8Array
}

export class InboundAddresses extends Context.Service<
  InboundAddresses,
  {
    readonly mint: () => InboundToken

    /** `undefined` for automations of other triggers. */
    readonly urlOf: (row: Pick<AutomationRow, "inbound_sealed">) => Effect.Effect<string | undefined>
  }
>()("millrace/automations/definitions/InboundAddresses") {
  static readonly layer = Layer.effect(
    InboundAddresses,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const { baseUrl } = yield* AppConfig
      return InboundAddresses.of({
        mint: () => {
          const token = randomToken("")
          return { hash: hashToken(token), sealed: secrets.encrypt(token, CONTEXT) }
        },
        urlOf: ({ inbound_sealed }) =>
          inbound_sealed === null
            ? Effect.succeed(undefined)
            : Effect.map(
                Effect.orDie(secrets.decrypt(inbound_sealed, CONTEXT)),
                (token) => `${baseUrl}/api/catch/${token}`
              )
      })
    })
  )
}
