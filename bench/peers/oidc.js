// The peer of the refresh row: oidc-provider with an adapter on Postgres by hand, statements prepared. Refresh tokens rotate,
// a used one that comes again revokes its grant. POST /seed/<count> makes that many grants and answers their refresh tokens. A client
// that CALLBACK is the address of asks for consent (oidcConsent.js).
import { createServer } from "node:http"
import { Provider } from "oidc-provider"
import pg from "pg"
import { consentOf } from "./oidcConsent.js"

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_API ?? 12)
})
await pool.query(`
  CREATE TABLE IF NOT EXISTS oidc_models (
    model text NOT NULL, id text NOT NULL, payload jsonb NOT NULL, grant_id text, uid text, user_code text,
    expires_on timestamptz, consumed_on timestamptz, PRIMARY KEY (model, id))`)
await pool.query("CREATE INDEX IF NOT EXISTS oidc_models_grant ON oidc_models (grant_id)")

const SAVE = `INSERT INTO oidc_models (model, id, payload, grant_id, uid, user_code, expires_on) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    user_code = excluded.user_code, expires_on = excluded.expires_on`
const payloadOf = ({ rows: [row] }) =>
  row && { ...row.payload, ...(row.consumed_on ? { consumed: Math.floor(row.consumed_on / 1000) } : {}) }

class PostgresAdapter {
  constructor(model) {
    this.model = model
  }
  query(name, text, values) {
    return pool.query({ name, text, values })
  }
  upsert(id, payload, seconds) {
    const expires = seconds === undefined ? null : new Date(Date.now() + seconds * 1000)
    const keys = [payload.grantId ?? null, payload.uid ?? null, payload.userCode ?? null]
    return this.query("save", SAVE, [this.model, id, payload, ...keys, expires])
  }
  async find(id) {
    const text = "SELECT payload, consumed_on FROM oidc_models WHERE model = $1 AND id = $2"
    return payloadOf(await this.query("find", text, [this.model, id]))
  }
  async findByUid(uid) {
    const text = "SELECT payload, consumed_on FROM oidc_models WHERE model = $1 AND uid = $2"
    return payloadOf(await this.query("uid", text, [this.model, uid]))
  }
  consume(id) {
    const text = "UPDATE oidc_models SET consumed_on = $3 WHERE model = $1 AND id = $2"
    return this.query("consume", text, [this.model, id, new Date()])
  }
  destroy(id) {
    return this.query("destroy", "DELETE FROM oidc_models WHERE model = $1 AND id = $2", [this.model, id])
  }
  revokeByGrantId(grantId) {
    return this.query("revoke", "DELETE FROM oidc_models WHERE grant_id = $1", [grantId])
  }
}

const clientId = "bench-client"
const provider = new Provider(`http://127.0.0.1:${process.env.PORT}`, {
  adapter: PostgresAdapter,
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: ["https://app.example/callback"]
    },
    {
      client_id: "bench-native",
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: [process.env.CALLBACK ?? "http://127.0.0.1/callback"]
    }
  ],
  cookies: { keys: ["bench"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  scopes: ["offline_access", "records:read"],
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, RefreshToken: 90 * 86_400, Grant: 365 * 86_400 },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) })
})
const oidc = provider.callback()
const consent = consentOf(provider)

const seed = async (count) => {
  const client = await provider.Client.find(clientId)
  const scope = "offline_access records:read"
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const grant = new provider.Grant({ accountId: `account-${i}`, clientId })
      grant.addOIDCScope(scope)
      const token = new provider.RefreshToken({
        accountId: `account-${i}`,
        client,
        grantId: await grant.save(),
        gty: "authorization_code",
        scope
      })
      return token.save()
    })
  )
}

createServer(async (request, response) => {
  if (request.method === "POST" && request.url.startsWith("/seed/")) {
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({ client_id: clientId, tokens: await seed(Number(request.url.slice("/seed/".length))) })
    )
  } else if (!(await consent(request, response))) oidc(request, response)
}).listen(Number(process.env.PORT), "127.0.0.1")
