// Credentials of a request (developer-api.md 1.7): a fixed token, or one that is renewed.

export interface Credentials {
  /** The bearer token of the next request. @param refused it was answered 401: another one is wanted, null where there is none */
  readonly token: (refused?: string) => Promise<string | null>
}

/** A personal access token, a user API key or an access token of whoever renews it himself. */
export const bearer = (token: string): Credentials => ({
  token: async (refused) => (refused === token ? null : token)
})
