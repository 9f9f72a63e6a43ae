// Prefixes of OAuth credentials, by which people and secret scanners know them (service.md 2.1). A client that has a metadata document has
// its address as client id instead.

export const prefixes = {
  accessToken: "svc_oat_",
  refreshToken: "svc_ort_",
  code: "svc_oac_",
  clientId: "svc_oc_",
  clientSecret: "svc_ocs_"
} as const
