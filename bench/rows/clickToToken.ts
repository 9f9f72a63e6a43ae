// An app is connected: from the press on Allow over the redirect to the answer with its token, in Chromium, beside oidc-provider on the same
// Postgres, whose consent page is one button.
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { makeTenant } from "../../demo/operator.ts"
import { makeMachine, operatorOf } from "../support/machine.ts"
import { startPeer } from "../support/processes.ts"
import { benchFailed, type Measure, type Row, type Sides } from "../support/Row.ts"
import { percentile } from "../support/statistics.ts"
import { inTab, openTab, sessionOf } from "../support/tab.ts"

const LEAST = 3
const SCOPE = "records:read offline_access"

interface Party {
  readonly authorize: string
  readonly token: string
  readonly clientId: string
  readonly scope: string
}

/** The app's callback: the code that it was given goes to whoever waits. */
const startApp = Effect.acquireRelease(
  Effect.promise(async () => {
    let arrived: (code: string) => void = () => undefined
    const server = createServer((request, response) => {
      const code = new URL(request.url ?? "/", "http://app").searchParams.get("code")
      response.setHeader("content-type", "text/html").end("<title>Arrived</title><link rel=icon href='data:,'>Arrived")
      if (code !== null) arrived(code)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const code = () =>
      new Promise<string>((resolve) => {
        arrived = resolve
      })
    return { server, code, callback: `http://127.0.0.1:${port}/callback` }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

const redeem = async (party: Party, callback: string, code: string, verifier: string) => {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: party.clientId,
    redirect_uri: callback,
    code,
    code_verifier: verifier
  })
  const answer = await fetch(party.token, { method: "POST", body })
  if (!answer.ok) throw new Error(`${party.token}: ${await answer.text()}`)
  await answer.json()
}

const connected = async (page: Page, party: Party, callback: string, code: () => Promise<string>) => {
  const verifier = randomBytes(32).toString("base64url")
  const query = new URLSearchParams({
    response_type: "code",
    client_id: party.clientId,
    redirect_uri: callback,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: party.scope,
    prompt: "consent",
    state: verifier.slice(0, 8)
  })
  await page.goto(`${party.authorize}?${query}`)
  const allow = await page.waitForSelector("button[value=approve]")
  const receivedCode = code()
  const began = performance.now()
  await allow!.click()
  await redeem(party, callback, await receivedCode, verifier)
  return performance.now() - began
}

const prepare: Row["prepare"] = Effect.gen(function* () {
  const env = { OAUTH_TOKEN_PER_MINUTE: "1000000000", OAUTH_AUTHORIZE_PER_MINUTE: "1000000000" }
  const machine = yield* makeMachine({ name: "bench", temporal: false, env })
  const app = yield* startApp
  const session = yield* Effect.gen(function* () {
    const { orgId } = yield* makeTenant("Bench", 1, 1000)
    return yield* sessionOf(orgId)
  }).pipe(Effect.provide(operatorOf(machine)), Effect.mapError(benchFailed))
  const peer = yield* startPeer(machine, "oidc.js", { CALLBACK: app.callback }, "/.well-known/openid-configuration")
  const clientId = yield* inTab(async () => {
    const body = JSON.stringify({ redirect_uris: [app.callback], client_name: "Bench" })
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${machine.baseUrl}/oauth/register`, { method: "POST", headers, body })
    return ((await answer.json()) as { readonly client_id: string }).client_id
  })
  const { browser, page } = yield* openTab(machine.baseUrl, session)
  // Both are at one host, which has so many cookies at most: the peer's, of each of its pages, would push our session out.
  const peerPage = yield* inTab(async () => (await browser.createBrowserContext()).newPage())
  const measure =
    (page: Page, party: Party): Measure =>
    (seconds) =>
      inTab(async () => {
        const durations: Array<number> = []
        const until = performance.now() + seconds * 1000
        while (durations.length < LEAST || performance.now() < until)
          durations.push(await connected(page, party, app.callback, app.code))
        return { p50: percentile(durations, 50), p95: percentile(durations, 95), count: durations.length }
      })
  return {
    ours: measure(page, {
      authorize: `${machine.baseUrl}/oauth/authorize`,
      token: `${machine.baseUrl}/oauth/token`,
      clientId,
      scope: "records:read"
    }),
    peer: measure(peerPage, {
      authorize: `${peer.url}/auth`,
      token: `${peer.url}/token`,
      clientId: "bench-native",
      scope: SCOPE
    })
  } satisfies Sides
})

export const clickRows: ReadonlyArray<Row> = [
  {
    name: "oauth-click-to-token",
    work: "from the press on Allow over the redirect to the token's answer, in Chromium, one after another",
    peer: "oidc-provider + pg",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1,
    prepare
  }
]
