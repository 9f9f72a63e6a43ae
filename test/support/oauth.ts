// The authorization flow as a browser and a client walk it, over the in-memory service.
import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Clients, type OperatorRegistration } from "../../src/domain/oauth/clients/Clients.ts"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { App, type Person } from "./app.ts"

export const ORIGIN = "http://127.0.0.1:8080"
export const REDIRECT = "https://client.example/callback"

export const verifier = () => randomBytes(32).toString("base64url")
export const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url")

/** A form body; `undefined` members are left out, lists repeat. */
export const form = (members: Record<string, string | ReadonlyArray<string> | undefined>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) {
    for (const item of typeof value === "string" ? [value] : (value ?? [])) params.append(name, item)
  }
  return params.toString()
}

export const basic = (id: string, secret: string) =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`

/** POSTs a form. */
export const post = Effect.fnUntraced(function* (
  path: string,
  members: Record<string, string | ReadonlyArray<string> | undefined> | string,
  headers: Record<string, string> = {}
) {
  const app = yield* App
  return yield* app.call("POST", path, {
    body: typeof members === "string" ? members : form(members),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
  })
})

export const token = (members: Record<string, string | ReadonlyArray<string> | undefined>, headers = {}) =>
  post("/oauth/token", members, headers)

/** The reason id at the end of an `error_description`. */
export const reasonOf = (reply: { readonly json: any }): string | undefined =>
  /\[([A-Z_]+)\]$/.exec(String(reply.json?.error_description))?.[1]

/** A signed-in session, made by SQL: passwords are slow on purpose. */
export const signedIn = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  const session = randomToken("")
  yield* sql`
    INSERT INTO sessions (token_hash, person_id, created_on, last_seen_on, expires_on)
    VALUES (${hashToken(session)}, ${personId}, now(), now(), now() + interval '30 days')`
  return `millrace_session=${session}`
})

/** A dynamically registered client. */
export const registerClient = Effect.fnUntraced(function* (
  redirectUris: ReadonlyArray<string> = [REDIRECT],
  more = {}
) {
  const app = yield* App
  const reply = yield* app.call("POST", "/oauth/register", {
    body: { redirect_uris: redirectUris, client_name: "Test client", ...more }
  })
  return reply.json.client_id as string
})

/** A client that the operator registered as confidential. */
export const confidentialClient = Effect.fnUntraced(function* (more: Partial<OperatorRegistration> = {}) {
  const clients = yield* Clients
  const { client, secret } = yield* clients.register({
    kind: "confidential",
    name: "Partner",
    redirectUris: [REDIRECT],
    pkceWaived: false,
    ownService: false,
    oneConnection: false,
    ...more
  })
  return { clientId: client.client_id, secret: secret ?? "" }
})

export const authorizeUrl = (members: Record<string, string | ReadonlyArray<string> | undefined>) =>
  `/oauth/authorize?${form(members)}`

export const authorize = Effect.fnUntraced(function* (
  members: Record<string, string | ReadonlyArray<string> | undefined>,
  headers: Record<string, string> = {}
) {
  const app = yield* App
  return yield* app.call("GET", authorizeUrl(members), { headers })
})

export const hiddenIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""

/** Opens a request's page in a session and posts a decision; the answer is the redirect. */
export const decide = Effect.fnUntraced(function* (page: string, cookie: string, members: Record<string, string>) {
  const app = yield* App
  const consentPage = yield* app.call("GET", page, { headers: { cookie } })
  return yield* post(page, { csrf: hiddenIn(consentPage.text, "csrf"), ...members }, { cookie })
})

interface Approved {
  readonly code: string
  readonly verifier: string
  readonly callback: URL
}

/** From the authorization request to the code, as the person. */
export const approve = Effect.fnUntraced(function* (
  person: Person,
  clientId: string,
  more: Record<string, string | ReadonlyArray<string> | undefined> = {}
) {
  const cookie = yield* signedIn(person.personId)
  const secret = verifier()
  const started = yield* authorize(
    {
      response_type: "code",
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: challengeOf(secret),
      code_challenge_method: "S256",
      state: "xyz",
      ...more
    },
    { cookie }
  )
  const answer = yield* decide(started.headers.get("location") ?? "", cookie, {
    decision: "approve",
    user_id: String(person.userId)
  })
  const callback = new URL(answer.headers.get("location") ?? "http://none.invalid")
  return { code: callback.searchParams.get("code") ?? "", verifier: secret, callback } satisfies Approved
})

/** The whole flow: a connection and its first tokens. */
export const connect = Effect.fnUntraced(function* (
  person: Person,
  clientId: string,
  more: Record<string, string> = {}
) {
  const { code, verifier: code_verifier } = yield* approve(person, clientId, more)
  const reply = yield* token({ grant_type: "authorization_code", client_id: clientId, code, code_verifier })
  return reply.json as { access_token: string; refresh_token: string; scope: string; expires_in: number }
})
