// The metadata documents (service.md 2.5, RFC 8414; RFC 9728; decisions O13).
import { defaultScopes } from "../../../domain/accounts/Scope.ts"
import { grantTypes } from "../../../domain/oauth/grants/index.ts"
import type { Origins } from "../../../domain/oauth/resource.ts"
import { resourcesOf } from "../../../domain/oauth/resource.ts"

export const authorizationServer = ({ baseUrl }: Origins) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  introspection_endpoint: `${baseUrl}/oauth/introspect`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  scopes_supported: defaultScopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  code_challenge_methods_supported: ["S256"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${baseUrl}/docs`
})

export const protectedResource = (resource: "v1" | "mcp", origins: Origins) => ({
  resource: resourcesOf(origins)[resource === "v1" ? 0 : 1],
  authorization_servers: [origins.baseUrl],
  bearer_methods_supported: ["header"],
  scopes_supported: defaultScopes,
  service_documentation: `${origins.baseUrl}/docs`
})
