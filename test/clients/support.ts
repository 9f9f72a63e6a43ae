// A client over the service on a socket, and what a network does to its requests.
import { Effect } from "effect"
import { bearer, type ClientOptions, makeClient } from "../../clients/typescript/src/index.ts"
import { seedApp } from "../domain/automations/support.ts"
import { Served } from "../support/served.ts"

export const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

/** An organization with an app, and a client of its owner. */
export const seeded = Effect.gen(function* () {
  const { origin } = yield* Served
  const seededApp = yield* seedApp()
  const options = {
    baseUrl: origin,
    credentials: bearer(seededApp.token),
    retry: { firstMillis: 1 }
  } satisfies ClientOptions
  return { ...seededApp, origin, options, client: makeClient(options) }
})

type Fetch = typeof globalThis.fetch

/** A fetch whose first answers are replaced, one after another; each is told whether its request reached the service. */
export const disturbed = (...answers: ReadonlyArray<(pass: () => Promise<Response>) => Promise<Response>>) => {
  const requests: Array<Request> = []
  const fetch: Fetch = (input, init) => {
    requests.push(new Request(input, init))
    const answer = answers[requests.length - 1]
    const pass = () => globalThis.fetch(input, init)
    return answer === undefined ? pass() : answer(pass)
  }
  return { fetch, requests }
}

/** It was carried out, and the answer got lost. */
export const lostAfter = async (pass: () => Promise<Response>): Promise<Response> => {
  await (await pass()).text()
  throw new TypeError("fetch failed")
}

export const answered =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  async () =>
    Response.json(
      { status_code: status, endpoint: "/v1", error_message: "As the test says.", ...body },
      { status, headers }
    )
