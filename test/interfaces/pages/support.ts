// A browser without a screen: one cookie jar over the in-memory service, forms posted as pages show them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, type Reply, seedOrganization } from "../../support/app.ts"
import { hiddenIn } from "../../support/oauth.ts"
import { passwordHash } from "../../support/passwordHash.ts"

export const ORIGIN = "http://127.0.0.1:8080"
export const PASSWORD = "seven wet herons"

/** An organization, and its owner with a password. */
export const seedPerson = Effect.fnUntraced(function* (orgName?: string) {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization(orgName)
  const [row] = yield* sql<{ email: string }>`
    UPDATE people SET password_hash = ${yield* passwordHash(PASSWORD)} WHERE person_id = ${owner.personId} RETURNING email`
  return { orgId, owner, email: row!.email }
})

type Members = Record<string, string | ReadonlyArray<string>>

export const encoded = (members: Members): string =>
  new URLSearchParams(
    Object.entries(members).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one as string])
    )
  ).toString()

export interface Browser {
  readonly cookies: Map<string, string>
  readonly get: (path: string) => Effect.Effect<Reply, never, App>
  /** As it is, without following. */
  readonly post: (path: string, members: Members) => Effect.Effect<Reply, never, App>
  /** Opens the page, posts its form with its token, follows the redirect. */
  readonly submit: (
    path: string,
    members: Members,
    action?: string
  ) => Effect.Effect<Reply & { readonly path: string }, never, App>
  /** Asks as a page of the console does, whose cookies these are. */
  readonly ask: (path: string, input: object, origin?: string) => Effect.Effect<Reply, never, App>
  readonly signIn: (email: string, password?: string) => Effect.Effect<Reply & { readonly path: string }, never, App>
}

export const browser = (cookie?: string): Browser => {
  const cookies = new Map<string, string>()
  if (cookie !== undefined) cookies.set(...(cookie.split("=") as [string, string]))
  const sendWith = Effect.fnUntraced(function* (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string
  ) {
    const app = yield* App
    const cookie = [...cookies].map(([k, v]) => `${k}=${v}`).join("; ")
    const reply = yield* app.call(method, path, {
      headers: { cookie, ...headers },
      ...(body === undefined ? {} : { body })
    })
    for (const setCookie of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      if (/max-age=0/i.test(setCookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  })
  const get = (path: string) => sendWith("GET", path, {})
  const post = (path: string, members: Members) =>
    sendWith("POST", path, { "content-type": "application/x-www-form-urlencoded" }, encoded(members))
  const ask = (path: string, input: object, origin = ORIGIN) =>
    sendWith("POST", path, { "content-type": "application/json", origin }, JSON.stringify(input))
  const submit = Effect.fnUntraced(function* (path: string, members: Members, action = path.split("?")[0]!) {
    const firstPage = yield* get(path)
    // A page that is in the console: the token of the session's forms is on the start page as well.
    const formPage = /^\/console\//.test(firstPage.headers.get("location") ?? "") ? yield* get("/") : firstPage
    const hiddenFields: Members = { csrf: hiddenIn(formPage.text, "csrf") }
    const as = hiddenIn(formPage.text, "as")
    if (as !== "") hiddenFields["as"] = as
    const answer = yield* post(action, { ...hiddenFields, ...members })
    const location = answer.headers.get("location")
    if (answer.status !== 303 || location === null || !location.startsWith("/")) return { ...answer, path: action }
    return { ...(yield* get(location)), path: location }
  })
  return {
    cookies,
    get,
    post,
    submit,
    ask,
    signIn: (email, password = PASSWORD) => submit("/sign-in", { email, password, next: "/" })
  }
}
