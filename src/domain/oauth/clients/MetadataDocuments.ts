// Fetches client ID metadata documents through the guarded client, one fetch at a time per URL (decisions O7, W9).
import { Clock, Context, Deferred, Effect, type Exit, Layer, Result } from "effect"
import { Outbound } from "../../../platform/outbound/Outbound.ts"
import { policies } from "../../../platform/outbound/policies.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import { type Client, isGone } from "./Client.ts"
import { Clients } from "./Clients.ts"
import { documentUrlFault, freshMillis, parseDocument } from "./metadataDocument.ts"

export class MetadataDocuments extends Context.Service<
  MetadataDocuments,
  {
    /** The client that a URL stands for, fetched unless a fresh copy is stored. Failures are never kept. */
    readonly resolve: (url: string) => Effect.Effect<Client, OAuthRefused>
  }
>()("millrace/oauth/clients/MetadataDocuments") {
  static readonly layer = Layer.effect(
    MetadataDocuments,
    Effect.gen(function* () {
      const clients = yield* Clients
      const outbound = yield* Outbound
      const underWay = new Map<string, Deferred.Deferred<Client, OAuthRefused>>()

      const invalid = (url: string, detail: string) =>
        refuse("AUTHORIZE_CIMD_DOCUMENT_INVALID", {
          clientId: url,
          detail: `The client ID metadata document ${detail}`
        })

      const fetchDocument = Effect.fn("MetadataDocuments.fetch")(
        function* (url: string) {
          const answer = yield* outbound
            .request({
              method: "GET",
              url,
              headers: { accept: "application/json" },
              policy: policies.metadataDocument
            })
            .pipe(
              Effect.timeoutOrElse({
                duration: policies.metadataDocument.headers,
                orElse: () => Effect.fail(invalid(url, "cannot be fetched (timeout)"))
              })
            )
          if (answer.status !== 200) return yield* invalid(url, `was answered with status ${answer.status}`)
          if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(answer.headers["content-type"] ?? "")) {
            return yield* invalid(url, "is not served as JSON")
          }
          const document = parseDocument(url, new TextDecoder().decode(answer.body))
          if (Result.isFailure(document)) return yield* invalid(url, document.failure)
          const nowMillis = yield* Clock.currentTimeMillis
          return yield* clients.saveDocument({
            ...document.success,
            freshUntilMillis: nowMillis + freshMillis(answer.headers)
          })
        },
        (effect, url) =>
          Effect.catchTag(effect, "OutboundError", (error) =>
            Effect.fail(invalid(url, `cannot be fetched (${error.reason})`))
          )
      )

      /** Joins a fetch in progress; a fetch continues even if its first caller leaves. */
      const fetchOnce = Effect.fnUntraced(function* (url: string) {
        const pendingFetch = underWay.get(url)
        if (pendingFetch !== undefined) return yield* Deferred.await(pendingFetch)
        const newFetch = Deferred.makeUnsafe<Client, OAuthRefused>()
        underWay.set(url, newFetch)
        yield* Effect.forkDetach(
          Effect.flatMap(Effect.exit(fetchDocument(url)), (exit: Exit.Exit<Client, OAuthRefused>) => {
            underWay.delete(url)
            return Deferred.done(newFetch, exit)
          })
        )
        return yield* Deferred.await(newFetch)
      })

      const resolve = Effect.fn("MetadataDocuments.resolve")(function* (url: string) {
        const fault = documentUrlFault(url)
        if (fault !== undefined) return yield* invalid(url, `URL ${fault}`)
        const nowMillis = yield* Clock.currentTimeMillis
        const storedClient = yield* clients.row(url)
        if (storedClient !== undefined && isGone(storedClient, nowMillis))
          return yield* refuse("AUTHORIZE_CLIENT_INVALID", { clientId: url })
        if (storedClient?.document_fresh_until && storedClient.document_fresh_until.getTime() > nowMillis)
          return storedClient
        return yield* fetchOnce(url)
      })

      return MetadataDocuments.of({ resolve })
    })
  )
}
