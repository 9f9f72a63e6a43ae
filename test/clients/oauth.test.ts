// The client's way through OAuth (service.md 3): address, exchange, and tokens that are renewed once for all who wait.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  authorization,
  exchange,
  makeClient,
  OAuthError,
  oauth,
  type Tokens
} from "../../clients/typescript/src/index.ts"
import { approve, REDIRECT, registerClient } from "../support/oauth.ts"
import { servedLayer } from "../support/served.ts"
import { promise, seeded } from "./support.ts"

layer(servedLayer(), { excludeTestServices: true })("OAuth in @millrace/client", (it) => {
  it.effect("3.1, 3.2: a code is worth tokens, which are renewed before they end and when they are refused", () =>
    Effect.gen(function* () {
      const { origin, owner } = yield* seeded
      const clientId = yield* registerClient()
      const client = { baseUrl: origin, clientId }
      const { code, verifier } = yield* approve(owner, clientId)
      const firstTokens = yield* promise(() => exchange(client, { code, verifier, redirectUri: REDIRECT }))
      assert.match(firstTokens.accessToken, /^svc_oat_/)
      const saved: Array<Tokens> = []
      const signedIn = (tokens: Tokens) =>
        makeClient({ baseUrl: origin, credentials: oauth(client, tokens, (next) => void saved.push(next)) })

      // Three requests at once find the token over.
      const millrace = signedIn({ ...firstTokens, expiresAt: 0 })
      const me = yield* promise(() => Promise.all([1, 2, 3].map(() => millrace.accounts.me())))
      assert.deepStrictEqual(
        me.map(({ user_id }) => user_id),
        [owner.userId, owner.userId, owner.userId]
      )
      assert.strictEqual(saved.length, 1)
      assert.notStrictEqual(saved[0]!.refreshToken, firstTokens.refreshToken)

      // The service does not know it, whatever its clock says.
      const refusedClient = signedIn({ ...saved[0]!, accessToken: "svc_oat_unknown" })
      assert.strictEqual((yield* promise(() => refusedClient.accounts.me())).user_id, owner.userId)
      assert.strictEqual(saved.length, 2)

      const spent = signedIn({ accessToken: "svc_oat_unknown", refreshToken: "svc_ort_unknown", expiresAt: 0 })
      const error = yield* promise(() => spent.accounts.me().catch((cause: unknown) => cause))
      assert.instanceOf(error, OAuthError)
      assert.strictEqual((error as OAuthError).code, "invalid_grant")
    })
  )

  it.effect("3.1: the address to send a person to has a challenge (S256) and a state of its own", () =>
    Effect.gen(function* () {
      const request = { redirectUri: REDIRECT, scope: ["records:read", "apps:read"] }
      const makeAuthorization = () =>
        promise(() => authorization({ baseUrl: "https://millrace.example.com/", clientId: "c" }, request))
      const { state, url, verifier } = yield* makeAuthorization()
      assert.strictEqual(url.origin + url.pathname, "https://millrace.example.com/oauth/authorize")
      const parameters = Object.fromEntries(url.searchParams)
      assert.deepInclude(parameters, { code_challenge_method: "S256", state, scope: "records:read apps:read" })
      const digest = new Uint8Array(
        yield* promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)))
      )
      assert.strictEqual(parameters["code_challenge"], Buffer.from(digest).toString("base64url"))
      assert.notStrictEqual((yield* makeAuthorization()).state, state)
    })
  )
})
