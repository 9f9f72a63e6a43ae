// The peer of the meta row: Fastify answers bytes from memory that it was given in a file, with an ETag, once pg has found the
// token.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import Fastify from "fastify"
import pg from "pg"

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_API ?? 12)
})
const CALLER = `SELECT u.user_id FROM api_credentials c JOIN users u USING (user_id)
  WHERE c.token_hash = $1 AND c.revoked_on IS NULL AND u.status = 'active'`
const findCaller = async (request) => {
  const token = (request.headers.authorization ?? "").slice("Bearer ".length)
  const values = [createHash("sha256").update(token).digest()]
  return (await pool.query({ name: "caller", text: CALLER, values })).rows.length > 0
}

const pages = JSON.parse(readFileSync(process.env.PAGES, "utf8"))
const app = Fastify()
app.get("/", async () => "up")
for (const [path, text] of Object.entries(pages)) {
  const body = Buffer.from(text)
  app.get(path, async (request, reply) => {
    if (!(await findCaller(request))) return reply.code(401).send({ status_code: 401 })
    return reply
      .headers({ "content-type": "application/json", etag: '"1"', "cache-control": "public, max-age=3600" })
      .send(body)
  })
}
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
