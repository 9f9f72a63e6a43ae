// Security schemes of the description (developer-api.md 1.3; service.md 4.1), with every scope in the words of the consent screen.
import { scopes } from "../../domain/accounts/Scope.ts"

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "OAuth access token (svc_oat_), personal access token (svc_pat_) or user API key (user_key_)"
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "Personal access token or user API key as user name, empty password"
  },
  oauth2: {
    type: "oauth2",
    description:
      "OAuth 2.1 with PKCE (S256). Clients register themselves at /oauth/register or are known by a metadata document; the access token is sent as a bearer token",
    flows: {
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes: Object.fromEntries(Object.entries(scopes).map(([scope, { line }]) => [scope, line]))
      }
    }
  }
}
