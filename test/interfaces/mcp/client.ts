// The unmodified SDK client as an assistant uses it: it knows the URL of the MCP server and nothing else.
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens
} from "@modelcontextprotocol/sdk/shared/auth.js"

/** What an assistant keeps between starts. */
export class Memory implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  client: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  verifier = ""
  /** Where the person was sent, the latest last. */
  readonly sent: Array<URL> = []

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = { client_name: "Assistant", redirect_uris: [redirectUrl] }
  }

  clientInformation() {
    return this.client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens() {
    return this.held
  }
  saveTokens(tokens: OAuthTokens) {
    this.held = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sent.push(url)
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
  invalidateCredentials(which: string) {
    if (which === "all" || which === "tokens") this.held = undefined
    if (which === "all" || which === "client") this.client = undefined
  }
}

/** An assistant with a URL that serves its own metadata document (client ID metadata documents). */
export class DocumentMemory extends Memory {
  readonly clientMetadataUrl: string
  constructor(redirectUrl: string, clientMetadataUrl: string) {
    super(redirectUrl)
    this.clientMetadataUrl = clientMetadataUrl
  }
}

export const transportTo = (mcpUrl: string, memory: Memory) =>
  new StreamableHTTPClientTransport(new URL(`${mcpUrl}/mcp`), { authProvider: memory })

/** The SDK's transport class does not satisfy its own interface under exactOptionalPropertyTypes. */
export const connect = async (transport: StreamableHTTPClientTransport) => {
  const client = new Client({ name: "assistant", version: "1.0.0" })
  await client.connect(transport as never)
  return client
}

/** Connects with nothing but the URL: refused, sent to the person, back with a code, connected. */
export const connectFromNothing = async (mcpUrl: string, memory: Memory, approve: (url: URL) => Promise<URL>) => {
  const firstTransport = transportTo(mcpUrl, memory)
  const error = await connect(firstTransport).then(
    () => undefined,
    (e: unknown) => e as Error
  )
  const callback = await approve(memory.sent.at(-1)!)
  await firstTransport.finishAuth(callback.searchParams.get("code") ?? "")
  return { error, callback, client: await connect(transportTo(mcpUrl, memory)) }
}
