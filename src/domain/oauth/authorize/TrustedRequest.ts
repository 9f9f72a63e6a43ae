// An authorization request whose client and redirect URI are trusted; its further faults go back to the client (service.md 4.1).
import type { Client } from "../clients/Client.ts"
import type { Params } from "../params.ts"
import type { Origins } from "../resource.ts"

export interface TrustedRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly params: Params
  readonly origins: Origins
}
