// Real processes on one database: the service in one piece, and the API with its MCP server in a process of its own; a person with
// a password; the assistant's website and its loopback address.
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { fileURLToPath } from "node:url"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { freePort } from "../../../bin/parts/os.js"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { passwordHash } from "../../support/passwordHash.ts"
import { type ServiceProcess, startService } from "../../support/processes.ts"
import { type Receiver, receiver } from "../../support/receiver.ts"
import { EMAIL, PASSWORD } from "./person.ts"

const pem = (name: string) => fileURLToPath(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url))
const tls = { key: readFileSync(pem("key"), "utf8"), cert: readFileSync(pem("cert"), "utf8") }

export class Installation extends Context.Service<
  Installation,
  {
    /** Everything in one process. */
    readonly whole: ServiceProcess
    /** The API, whose MCP server runs in `mcp` alone. */
    readonly api: ServiceProcess
    readonly mcp: ServiceProcess
    readonly userId: number
    /** The assistant's website: its metadata document, and where browsers come back to. */
    readonly site: Receiver
    readonly local: Receiver
  }
>()("test/interfaces/mcp/Installation") {}

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [org] = yield* sql<{ org_id: number }>`
    INSERT INTO organizations (name, slug, created_on) VALUES ('Harbor Works', 'harbor', now()) RETURNING org_id`
  const [person] = yield* sql<{ person_id: number }>`
    INSERT INTO people (email, name, password_hash, created_on)
    VALUES (${EMAIL}, 'Sailor', ${yield* passwordHash(PASSWORD)}, now()) RETURNING person_id`
  const [user] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    VALUES (${org!.org_id}, ${person!.person_id}, 'Sailor', 'owner', 'active', now()) RETURNING user_id`
  return user!.user_id
})

/** POSTs blanks in chunks, up to `bytes`, and reads the answer even while it still sends. */
export const growing = (url: string, headers: Record<string, string>, bytes: number) =>
  new Promise<number>((resolve, reject) => {
    const sending = request(
      url,
      { method: "POST", headers: { ...headers, "transfer-encoding": "chunked" } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }
    )
    sending.on("error", reject)
    let sentBytes = 0
    const more = () => {
      while (sentBytes < bytes) {
        sentBytes += 65_536
        if (!sending.write(" ".repeat(65_536))) return void sending.once("drain", more)
      }
      sending.end()
    }
    more()
  })

/** A user API key of the person, in place of the one before. */
export const seedKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const key = randomToken("user_key_")
  yield* sql`DELETE FROM api_credentials WHERE kind = 'user_api_key'`
  yield* sql`
    INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
    SELECT user_id, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now() FROM users LIMIT 1`
  return key
})

export const InstallationLive = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const live = Layer.effect(
      Installation,
      Effect.gen(function* () {
        const userId = yield* seed
        const site = yield* receiver({ tls })
        const local = yield* receiver()
        const [apiPort, mcpPort] = yield* Effect.promise(async () => [await freePort(), await freePort()])
        const split = {
          BASE_URL: `http://127.0.0.1:${apiPort}`,
          MCP_URL: `http://127.0.0.1:${mcpPort}`,
          OUTBOUND_ALLOW: site.hostPort,
          NODE_EXTRA_CA_CERTS: pem("cert")
        }
        const [whole, api, mcp] = yield* Effect.all(
          [
            startService(url),
            startService(url, { ...split, PORT: String(apiPort) }),
            startService(url, { ...split, PORT: String(mcpPort), ROLE: "mcp" })
          ],
          { concurrency: 3 }
        )
        return Installation.of({ whole, api, mcp, userId, site, local })
      })
    )
    const pool = layerOn(url, 2)
    return Layer.provideMerge(live, pool)
  })
)
