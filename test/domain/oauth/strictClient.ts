// A strict client library (oauth4webapi, unmodified) through the whole code flow over a real server, with a browser of cookies and
// forms for the person.
import * as oauth from "oauth4webapi"

export const REDIRECT = "https://client.example/callback"
export const insecure = { [oauth.allowInsecureRequests]: true } as const

export interface Account {
  readonly email: string
  readonly password: string
  readonly userId: number
}

/** A browser with a cookie jar, which follows redirects of the service and stops at the app's. */
export const browser = (origin: string, { email, password }: Account) => {
  const jar = new Map<string, string>()
  const go = async (path: string, form?: Record<string, string>): Promise<{ url: string; html: string }> => {
    const init: RequestInit = {
      redirect: "manual",
      headers: { cookie: [...jar].map((one) => one.join("=")).join("; ") }
    }
    if (form !== undefined) {
      init.method = "POST"
      init.body = new URLSearchParams(form)
    }
    const response = await fetch(new URL(path, origin), init)
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      jar.set(name!, value!)
    }
    const location = response.headers.get("location")
    if (location === null) return { url: path, html: await response.text() }
    if (response.status !== 303) throw new Error(`redirected with ${response.status}`)
    return location.startsWith("/") ? go(location) : { url: location, html: "" }
  }
  const hiddenValue = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
  return {
    go,
    hidden: hiddenValue,
    /** The value of the session cookie. */
    session: () => jar.get("millrace_session") ?? "",
    /** Signs in and approves; the app's callback address. */
    approve: async (url: URL, userId: number): Promise<URL> => {
      const signIn = await go(url.href)
      const form = {
        csrf: hiddenValue(signIn.html, "csrf"),
        next: hiddenValue(signIn.html, "next"),
        email,
        password
      }
      const consent = await go("/sign-in", form)
      const decision = { csrf: hiddenValue(consent.html, "csrf"), decision: "approve", user_id: String(userId) }
      return new URL((await go(consent.url, decision)).url)
    }
  }
}

export const discover = async (origin: string) => {
  const issuer = new URL(origin)
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  )
}

/** Up to the callback: a code that nobody has redeemed. */
export const approveOnly = async (as: oauth.AuthorizationServer, client: oauth.Client, account: Account) => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint!)
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state
  }).toString()
  const user = browser(as.issuer, account)
  const callback = await user.approve(url, account.userId)
  const params = oauth.validateAuthResponse(as, client, callback, state)
  return { callback, params, code: callback.searchParams.get("code")!, verifier, user }
}

export const codeFlow = async (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  account: Account
) => {
  const { params, code, verifier, user } = await approveOnly(as, client, account)
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, params, REDIRECT, verifier, insecure)
  return { tokens: await oauth.processAuthorizationCodeResponse(as, client, response), code, verifier, user }
}

export const dynamicClient = async (as: oauth.AuthorizationServer) => {
  const response = await oauth.dynamicClientRegistrationRequest(
    as,
    { redirect_uris: [REDIRECT], client_name: "Strict client" },
    insecure
  )
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { ...client, token_endpoint_auth_method: "none" } as oauth.Client
}
