// Prefixes of all credentials, by which the service, people and secret scanners know their kind (developer-api.md 1.7, service.md 2.1), and
// the kinds that are sent as Bearer only. A client that has a metadata document has its address as client id instead.

export const prefixes = {
  apiKey: "user_key_",
  personalAccessToken: "svc_pat_",
  sessionToken: "svc_ost_",
  accessToken: "svc_oat_",
  refreshToken: "svc_ort_",
  code: "svc_oac_",
  clientId: "svc_oc_",
  clientSecret: "svc_ocs_"
} as const

/** True for tokens of apps and pages: they are never sent as the user name of Basic authentication. */
export const bearerOnly = (token: string) =>
  token.startsWith(prefixes.accessToken) || token.startsWith(prefixes.sessionToken)
