// Verifies that a request to an inbound address comes from the intended sender (developer-api.md 7.9), before any of it is stored. The keys
// are read with the present rights of the definition's author (decisions A26); without these no sender can be verified.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { counter } from "../../../platform/metrics/instruments.ts"
import { sameSecret } from "../../../platform/sealing/Secrets.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Authorities, lacking, readReach } from "../../accounts/Authority.ts"
import { SecretValues } from "../../secrets/SecretValues.ts"
import { makeRefusedSenders } from "../model/refusedSenders.ts"
import { type SenderProof, secretsOfTrigger } from "../schema/SenderProof.ts"
import { challengeIn, challengeOfQuery } from "./challenges.ts"
import { type SignedBody, type SignedType, unsigned } from "./signatures.ts"
import type { Catch } from "./storeCatch.ts"

export class SenderRefused extends Schema.TaggedError<SenderRefused>()("SenderRefused", {
  message: Schema.String,
  /** HTTP authentication scheme that the sender has to use. */
  scheme: Schema.optionalKey(Schema.Literals(["Basic", "Bearer"]))
}) {}

/** Keys that were deleted or are out of the author's reach. */
export class KeysAway extends Schema.TaggedError<KeysAway>()("KeysAway", {}) {}

type SignedProof = SenderProof & { readonly type: SignedType }
type Headers = Readonly<Record<string, string | undefined>>

/** Verification that an address requires of its senders. */
export type InboundProof =
  | { readonly type: "header"; readonly check: (headers: Headers) => Effect.Effect<void, SenderRefused> }
  | {
      readonly type: "body"
      /** True if senders send the address a challenge before they use it. */
      readonly asks: boolean
      /** Returns the text that a query's challenge asks for. */
      readonly asked: (query: URLSearchParams) => Effect.Effect<string | undefined, SenderRefused>
      readonly check: (headers: Headers, body: Uint8Array) => Effect.Effect<void, SenderRefused>
      readonly challenge: (payload: unknown) => object | undefined
      readonly nothingSigned: Effect.Effect<never, SenderRefused>
    }

const AuthorRow = Schema.Struct({
  author_id: Schema.Int,
  reach: Schema.Unknown,
  workspace_id: Schema.Int
})

const refusals = counter("millrace.inbound.refusals")

export class InboundProofs extends Context.Service<
  InboundProofs,
  { readonly of: (target: Catch, verification: SenderProof) => Effect.Effect<InboundProof, KeysAway> }
>()("millrace/automations/inbound/InboundProofs") {
  static readonly layer = Layer.effect(
    InboundProofs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const authorities = yield* Authorities
      const secrets = yield* SecretValues
      const refusedSenders = makeRefusedSenders(sql)

      const keysOf = Effect.fnUntraced(
        function* ({ app_id, automation_id, config, org_id }: Catch) {
          const row = yield* rowOf(AuthorRow)(sql`
          SELECT coalesce(r.author_id, 0) AS author_id, r.reach, p.workspace_id
          FROM automations a JOIN automation_revisions r USING (revision_id) JOIN apps p ON p.app_id = a.app_id
          WHERE a.automation_id = ${automation_id}`)
          if (row === undefined) return yield* new KeysAway()
          const reach = readReach(row.reach)
          if (lacking(reach, ["secrets:read"]) !== undefined) return yield* new KeysAway()
          const acting = {
            ...{ userId: row.author_id, orgId: org_id, automationId: automation_id, reach },
            author: { type: "automation", automation_id } as const
          }
          const author = yield* authorities.of(acting).on(app_id)
          const names = secretsOfTrigger(config)
          const secretsPlace = { orgId: org_id, workspaceId: row.workspace_id, appId: app_id }
          const { there: keys } = yield* secrets.usable(author, secretsPlace, names)
          if (names.some((name) => !keys.has(name))) return yield* new KeysAway()
          return (name: string) => keys.get(name)!
        },
        Effect.catchTag("AuthorityLost", () => Effect.fail(new KeysAway())),
        orSqlDefect
      )

      const proofOf = Effect.fn("InboundProofs.of")(function* (target: Catch, verification: SenderProof) {
        const key = yield* keysOf(target)
        const refuse = (reason: "missing" | "stale" | "wrong", scheme?: "Basic" | "Bearer") =>
          Effect.suspend(() => {
            refusals.add(1, verification.type, reason)
            return Effect.andThen(
              orSqlDefect(refusedSenders.add(target.automation_id)),
              Effect.fail(
                new SenderRefused({ message: refusalMessages[reason], ...(scheme === undefined ? {} : { scheme }) })
              )
            )
          })
        const secret = key(verification.secret)
        const { type } = verification
        if (type === "basic" || type === "bearer") {
          const credential =
            type === "bearer" ? secret : Buffer.from(`${verification.username}:${secret}`).toString("base64")
          return {
            type: "header",
            check: ({ authorization }) => {
              const [, scheme, given] = /^(\S+)\s+(\S.*)$/.exec(authorization?.trim() ?? "") ?? []
              if (scheme?.toLowerCase() !== type) return refuse("missing", type === "basic" ? "Basic" : "Bearer")
              return sameSecret(given!, credential)
                ? Effect.void
                : refuse("wrong", type === "basic" ? "Basic" : "Bearer")
            }
          } satisfies InboundProof as InboundProof
        }
        const signed = verification as SignedProof
        return {
          type: "body",
          asks: type === "slack" || type === "zoom",
          asked: (query) => {
            const text = type === "meta" ? challengeOfQuery(query, key(verification.token_secret!)) : undefined
            return text === null ? refuse("wrong") : Effect.succeed(text)
          },
          check: Effect.fnUntraced(function* (headers, body) {
            const nowMillis = yield* Clock.currentTimeMillis
            const why = unsigned(signed, secret, { headers, body, now: nowMillis } satisfies SignedBody)
            if (why !== null) return yield* refuse(why)
          }),
          challenge: (payload) => challengeIn(verification, secret, payload),
          nothingSigned: refuse("missing")
        } satisfies InboundProof as InboundProof
      })

      return InboundProofs.of({ of: proofOf })
    })
  )
}

const refusalMessages = {
  missing: "The sender of this webhook has to prove itself, and the request holds no proof.",
  stale: "The signature of this webhook is too old, or its time lies ahead.",
  wrong: "The proof of the sender of this webhook is wrong."
} as const
